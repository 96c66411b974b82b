//! What tells problems apart: a hash of what is asked, kept with every verdict that a later run may go on from.

use std::io;

use nebel_prover::collection::Entry;

/// The hash of a whole collection, with all that is known of its problems.
pub(super) fn of_collection(entries: &[Entry]) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    for entry in entries {
        serde_json::to_writer(&mut hasher, entry)?;
        hasher.update(b"\n");
    }
    Ok(shortened(&hasher.finalize()))
}

/// The hash of one problem: of what White heard, from which its positions follow.
pub(super) fn of_problem(entry: &Entry) -> String {
    shortened(&blake3::hash(entry.view.as_bytes()))
}

/// Sixteen bytes are enough: nobody makes two problems alike on purpose.
fn shortened(hash: &blake3::Hash) -> String {
    hash.to_hex()[..32].to_owned()
}
