"""`python -m pitboss` is the command `pitboss`."""

from pitboss.cli.main import main

main()
