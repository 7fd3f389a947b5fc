// StarlingFetch
