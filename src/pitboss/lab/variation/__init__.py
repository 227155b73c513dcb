"""How genomes are changed, crossed, drawn at random and made valid again."""
