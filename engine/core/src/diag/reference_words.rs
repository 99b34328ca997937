//! How messages call what lists everything that a script can use: a program with a window has another way there than the command line.

use std::sync::OnceLock;

static WORDS: OnceLock<String> = OnceLock::new();

/// Returns how messages call the list of everything that a script can use, at the beginning of a sentence such as "... lists all functions".
pub fn reference_words() -> &'static str {
    WORDS.get().map_or("`flockwork reference`", String::as_str)
}

/// Sets these words for all messages of this program from now on. Only the first call does something.
pub fn set_reference_words(words: String) {
    let _ = WORDS.set(words);
}
