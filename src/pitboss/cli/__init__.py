"""The command `pitboss`: one file a command, loaded only when called."""
