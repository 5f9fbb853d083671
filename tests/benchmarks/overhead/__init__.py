"""What the benchmark costs beside the model and the scripts, against Prefect alone."""
