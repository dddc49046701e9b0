"""`python -m overlap_widget.app`: the command `overlap`, which then serves at once."""

import sys

from overlap_widget.app.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["serve"]))
