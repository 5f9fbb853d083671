"""What a machine with GPUs is checked by: a bundle that needs no network there, and a script that runs it."""
