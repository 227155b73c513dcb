"""Button, blinds and the order of hands: what happens between hands and around them."""
