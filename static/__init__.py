"""Words, styles and scripts of the front, and the example trace."""
