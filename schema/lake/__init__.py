"""A lake: a campaign database that several machines share, with its catalog in PostgreSQL."""
