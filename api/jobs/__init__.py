"""Durable ingest work: uploads, appends and rebuilds, done by a process beside the API."""
