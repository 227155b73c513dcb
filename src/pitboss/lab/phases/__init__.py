"""What happens in each kind of phase."""
