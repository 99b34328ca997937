//! The file of keys, on a disk.

use super::super::keys_file::{create, read_keys};
use super::*;

#[test]
fn a_file_is_made_once_and_what_is_wrong_in_it_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/keys.ron");
    assert!(read_keys(&path).unwrap().is_none());
    create(&path).unwrap();
    assert!(read_keys(&path).unwrap().is_some());
    fs::write(&path, "(keys: 3)").unwrap();
    create(&path).unwrap();
    assert!(read_keys(&path).unwrap_err().message.ends_with("The usual keys are used"));
}
