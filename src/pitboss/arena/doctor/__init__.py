"""Test whether a bot follows the protocol."""
