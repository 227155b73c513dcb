"""One betting kernel: rules as settings, arithmetic that stands once, a round as a value, pots."""
