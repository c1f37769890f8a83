"""How metrics agree with people, and ways of evaluating by people with each other."""
