"""What people touch: the interface in Python, the command line, pictures, pages and MLflow."""
