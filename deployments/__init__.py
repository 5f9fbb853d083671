"""On what machines a benchmark runs: deployments, images, compose and Kubernetes files, checks of a GPU machine."""
