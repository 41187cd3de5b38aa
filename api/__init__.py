"""The outer room: command line, service and client."""
