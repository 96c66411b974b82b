//! Kriegspiel PGN.
