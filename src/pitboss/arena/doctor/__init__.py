"""A bot's conformance to the protocol, examined."""
