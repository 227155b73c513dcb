"""Games as a room hosts them."""
