"""The instrument: datasets, systems, measures, studies, and what `egcforest bench` prints."""
