"""Growing the forests: sources, log, trees, bridges, summaries, pipeline."""
