//! The words of the reference that the window shows.

use std::sync::LazyLock;

use flockwork_engine::script::{Entry, reference};

/// Returns the words of the reference.
pub(super) fn words() -> &'static [Entry] {
    static WORDS: LazyLock<Vec<Entry>> = LazyLock::new(reference);
    &WORDS
}
