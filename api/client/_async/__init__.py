"""The client, written once; `_sync` is made from this folder by `make client`."""
