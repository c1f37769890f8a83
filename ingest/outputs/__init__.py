"""What systems generated: files, the sentences they belong to, their words."""
