//! Files as URIs, which the protocol names them by.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::Uri;

/// Returns the path of a file; `None` for a URI of something else.
pub(super) fn path(uri: &Uri) -> Option<PathBuf> {
    let path = uri.as_str().strip_prefix("file://")?;
    // Between the slashes there may be the name of this machine.
    let path = decoded(&path[path.find('/')?..])?;
    // A path on Windows: `/C:/flock.ron`.
    let drive = path.as_bytes().get(1..3);
    let is_windows = drive.is_some_and(|of| of[0].is_ascii_alphabetic() && of[1] == b':');
    Some(PathBuf::from(if is_windows { &path[1..] } else { &path }))
}

/// Returns the URI of a file; `None` if the path is not Unicode.
pub fn uri(path: &Path) -> Option<Uri> {
    let path = path.to_str()?.trim_start_matches(r"\\?\").replace('\\', "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    Uri::from_str(&format!("file://{slash}{}", encoded(&path))).ok()
}

/// Replaces each `%XX` by its byte.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' | b':' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris_convert_both_ways() {
        for (shown, name) in [
            ("/a/b.ron", "file:///a/b.ron"),
            ("/a b/ü%.ron", "file:///a%20b/%C3%BC%25.ron"),
            ("C:/flock.ron", "file:///C:/flock.ron"),
        ] {
            assert_eq!(uri(Path::new(shown)).unwrap().as_str(), name);
            assert_eq!(path(&Uri::from_str(name).unwrap()), Some(PathBuf::from(shown)));
        }
        let other = |text| path(&Uri::from_str(text).unwrap());
        assert_eq!(other("file://localhost/a.ron"), Some(PathBuf::from("/a.ron")));
        assert_eq!(other("file:///c%3A/a.ron"), Some(PathBuf::from("c:/a.ron")));
        assert_eq!(other("untitled:Untitled-1"), None);
        assert_eq!(other("file:///%FF"), None);
    }
}
