"""What test sets expect of outputs, and what training files hold of them."""
