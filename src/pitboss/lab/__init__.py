"""Card games with betting as genomes: written as data, played fast, searched, solved, varied and evolved."""
