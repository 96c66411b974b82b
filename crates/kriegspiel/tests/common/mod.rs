//! What several tests share.

use std::path::{Path, PathBuf};

/// The files of a folder of shared vectors, sorted; `None`, with a message, where there are none.
pub fn vectors(folder: &str) -> Option<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/vectors")
        .join(folder);
    let Ok(entries) = std::fs::read_dir(&root) else {
        eprintln!("skipped: the shared vectors are not here ({folder})");
        return None;
    };
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    paths.sort();
    Some(paths)
}
