//! Files that appear whole or not at all.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};

use tempfile::Builder;

/// Writes beside the file and then puts it in its place, so that nobody ever sees half of it: a crash leaves the old file or the
/// new one. Where that fails, nothing is left behind. The file has the permissions of any new file.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The library's own way to make the file would keep it from all other users.
    let mut beside =
        Builder::new().prefix(".nebel-").suffix(".part").make_in(folder, |path| File::create_new(path))?;
    beside.write_all(bytes)?;
    beside.as_file().sync_all()?;
    beside.persist(path).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        write_whole(&path, b"old").unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        fs::create_dir(folder.path().join("folder")).unwrap();
        assert!(write_whole(&folder.path().join("folder"), b"").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        let missing = write_whole(&folder.path().join("no/table"), b"").unwrap_err();
        assert_eq!(missing.raw_os_error(), fs::read(folder.path().join("no")).unwrap_err().raw_os_error());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_those_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
        write_whole(&folder.path().join("whole"), b"").unwrap();
        fs::write(folder.path().join("plain"), b"").unwrap();
        assert_eq!(mode("whole"), mode("plain"));
    }
}
