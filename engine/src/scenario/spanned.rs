//! Values with the place where they are written.

use std::ops::Range;

use ron::error::SpannedError;
use ron::value::RawValue;
use serde::de::{Deserialize, DeserializeOwned, Deserializer};

use crate::schema::{Described, Shape};

/// A value and the place where it is written.
///
/// It is read separately from the values around it. If reading fails, the rest of the scenario is still read, and the
/// error is kept here.
#[derive(Debug)]
pub(crate) struct Spanned<T> {
    place: ValueSpan,
    /// The value, or the error. The place in the error counts from the start of the value.
    pub(crate) read: Result<T, Box<SpannedError>>,
}

/// A type that is read from the text of one value, without the comments and space around it.
///
/// Types that serde reads are read by it. It cannot tell a number from something with a name and brackets before it has read it,
/// so types that can be either read the text themselves.
pub(crate) trait ReadText: Sized {
    /// Reads a value. The place in an error counts from the start of the text.
    fn read_text(text: &str) -> Result<Self, SpannedError>;
}

impl<T: DeserializeOwned> ReadText for T {
    fn read_text(text: &str) -> Result<Self, SpannedError> {
        super::options().from_str(text)
    }
}

/// The bytes of a value, without the comments and space around it.
#[derive(Clone, Copy, Debug)]
struct ValueSpan {
    /// The address in memory. It is valid as long as the text that it was read from stays in its place.
    address: usize,
    len: usize,
}

impl ValueSpan {
    fn of(text: &str) -> Self {
        Self { address: text.as_ptr().addr(), len: text.len() }
    }

    /// Returns the bytes of the value in the text that it was read from.
    fn span(self, text: &str) -> Range<usize> {
        let start = self.address.saturating_sub(text.as_ptr().addr());
        start.min(text.len())..(start + self.len).min(text.len())
    }
}

impl<T: Described> Described for Spanned<T> {
    fn shape() -> Shape {
        T::shape()
    }
}

impl<T> Spanned<T> {
    /// Returns the bytes of the value in the text it was read from.
    pub(crate) fn span(&self, text: &str) -> Range<usize> {
        self.place.span(text)
    }
}

impl<T: ReadText> Spanned<T> {
    /// Reads a value that is written somewhere.
    pub(crate) fn of(raw: &RawValue) -> Self {
        // Without the comments around it.
        Self::of_text(raw.trim().get_ron())
    }

    /// Reads a value from a part of the text, without comments and space around it.
    pub(super) fn of_text(text: &str) -> Self {
        Self { place: ValueSpan::of(text), read: T::read_text(text).map_err(Box::new) }
    }
}

impl<'de, T: ReadText> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(Self::of)
    }
}

/// A value of any type, as it is written.
#[cfg(feature = "experiments")]
#[derive(Clone, Debug)]
pub(crate) struct WrittenValue(pub(crate) String);

#[cfg(feature = "experiments")]
impl<'de> Deserialize<'de> for WrittenValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self(raw.trim().get_ron().to_owned()))
    }
}
