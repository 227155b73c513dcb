"""The command `pitboss`: one module per command, imported when the command is called."""
