"""What Python users call: everything the command line does, as methods of a Tracker."""
