"""The explorer: pages of a campaign, served to browsers or frozen as a static site."""
