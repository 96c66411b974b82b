// Soon.
