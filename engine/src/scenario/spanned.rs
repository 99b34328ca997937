//! Values that know where they are written.

use std::ops::Range;

use ron::error::SpannedError;
use ron::value::RawValue;
use serde::de::{Deserialize, DeserializeOwned, Deserializer};

/// A value and where it is written.
///
/// It is read apart from what is around it: if that fails, the rest is still read, and the error waits
/// here with its place inside the value.
#[derive(Debug)]
pub(super) struct Spanned<T> {
    place: ValueSpan,
    /// The value; places in the error count from the start of the value.
    pub(super) read: Result<T, Box<SpannedError>>,
}

/// The bytes of a value, without what is around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueSpan {
    /// Where it is in memory, for as long as the text it was read from stays where it is.
    address: usize,
    len: usize,
}

impl ValueSpan {
    fn of(raw: &RawValue) -> Self {
        Self { address: raw.get_ron().as_ptr().addr(), len: raw.get_ron().len() }
    }

    /// Where it is in the text it was read from.
    pub(super) fn span(self, text: &str) -> Range<usize> {
        let start = self.address.saturating_sub(text.as_ptr().addr());
        start.min(text.len())..(start + self.len).min(text.len())
    }
}

impl<'de> Deserialize<'de> for ValueSpan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::of(<&RawValue>::deserialize(deserializer)?.trim()))
    }
}

impl<T> Spanned<T> {
    /// The bytes of the value in the text it was read from.
    pub(super) fn span(&self, text: &str) -> Range<usize> {
        self.place.span(text)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Without the comments around it.
        let raw = <&RawValue>::deserialize(deserializer)?.trim();
        let read = super::options().from_str(raw.get_ron()).map_err(Box::new);
        Ok(Self { place: ValueSpan::of(raw), read })
    }
}
