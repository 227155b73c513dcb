"""Games that vary and breed."""
