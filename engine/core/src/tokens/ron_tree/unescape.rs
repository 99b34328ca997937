//! The escapes in strings, as RON reads them.

use std::borrow::Cow;

/// Returns what is written between the quotes of a string. `None` if an escape in it is none.
pub(super) fn unescape(written: &str) -> Option<Cow<'_, str>> {
    if !written.contains('\\') {
        return Some(Cow::Borrowed(written));
    }
    let mut bytes = Vec::with_capacity(written.len());
    let mut parts = written.split('\\');
    bytes.extend_from_slice(parts.next()?.as_bytes());
    while let Some(part) = parts.next() {
        let mut signs = part.chars();
        let Some(sign) = signs.next() else {
            // An escaped backslash.
            bytes.push(b'\\');
            bytes.extend_from_slice(parts.next()?.as_bytes());
            continue;
        };
        let mut rest = signs.as_str();
        match sign {
            '\'' | '"' => bytes.push(sign as u8),
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            '0' => bytes.push(0),
            // A byte of a character.
            'x' => {
                bytes.push(u8::from_str_radix(rest.get(..2)?, 16).ok()?);
                rest = &rest[2..];
            }
            'u' => {
                let (digits, after) = rest.strip_prefix('{')?.split_once('}')?;
                let letter = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                rest = after;
            }
            _ => return None,
        }
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
