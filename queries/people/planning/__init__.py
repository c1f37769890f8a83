"""Planning an evaluation by people: how much to judge, what to judge, and when to stop."""
