"""Work for many processors: an ordered map over the workers of one machine, or of several."""
