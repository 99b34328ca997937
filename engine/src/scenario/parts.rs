//! Where the parts of a value are written: the fields of a struct, the entries of a map, the elements of a list. Finds
//! parts of parts by their paths.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::spanned::ValueSpan;

/// Reads a value, or where its parts are written, from a span of a text. `None` if the value does not have that form.
pub(super) fn read_span<'t, T: Deserialize<'t>>(text: &'t str, part: Range<usize>) -> Option<T> {
    super::options().from_str(text.get(part)?).ok()
}

/// The parts of a value that is a struct, a map, a list or a tuple, perhaps with the name of a variant before it.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) all: Vec<(String, ValueSpan)>,
    pub(super) is_struct: bool,
    pub(super) is_list: bool,
}

impl Parts {
    /// Finds the parts of a value in a text. A variant with a single value in its brackets, such as `Points([..])`, has the
    /// parts of that value: `part` then becomes the part of that value. `None` if the value has no parts.
    pub(super) fn of(text: &str, part: &mut Range<usize>) -> Option<Self> {
        let mut parts: Self = read_span(text, part.clone())?;
        let is_named = text[part.clone()].starts_with(|c: char| c.is_alphabetic());
        if let ([(_, only)], true, true) = (&*parts.all, parts.is_list, is_named) {
            *part = only.span(text);
            parts = read_span(text, part.clone())?;
        }
        parts.is_struct = !parts.is_list && !text[part.clone()].starts_with('{');
        Some(parts)
    }

    /// Returns the span of the value with this name, if it is written.
    pub(super) fn get(&self, name: &str) -> Option<ValueSpan> {
        let found = self.all.iter().find(|(part, _)| part == name);
        found.map(|(_, value)| *value)
    }

    /// Returns the end of the last part; `None` if there are none.
    pub(super) fn end(&self, text: &str) -> Option<usize> {
        self.all.iter().map(|(_, value)| value.span(text).end).max()
    }
}

/// Where a path stops that leads nowhere.
pub(super) struct DeadEnd {
    /// The number of names up to there.
    pub(super) depth: usize,
    /// The span of the value that they lead to, without the name of a variant.
    pub(super) span: Range<usize>,
    /// The parts of that value, among which the next name is missing; `None` if it has no parts.
    pub(super) parts: Option<Parts>,
}

/// Finds the value at a path.
pub(super) fn walk(text: &str, path: &[impl AsRef<str>]) -> Result<Range<usize>, DeadEnd> {
    let mut span = 0..text.len();
    for (depth, name) in path.iter().enumerate() {
        let parts = Parts::of(text, &mut span);
        match parts.as_ref().and_then(|parts| parts.get(name.as_ref())) {
            Some(value) => span = value.span(text),
            None => return Err(DeadEnd { depth, span, parts }),
        }
    }
    Ok(span)
}

impl<'de> Deserialize<'de> for Parts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PartsVisitor)
    }
}

struct PartsVisitor;

impl<'de> Visitor<'de> for PartsVisitor {
    type Value = Parts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value with parts")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts, A::Error> {
        let mut all = Vec::new();
        while let Some(part) = map.next_entry()? {
            all.push(part);
        }
        Ok(Parts { all, ..Parts::default() })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Parts, A::Error> {
        let mut all = Vec::new();
        while let Some(part) = list.next_element()? {
            all.push((all.len().to_string(), part));
        }
        Ok(Parts { all, is_list: true, ..Parts::default() })
    }

    /// Empty round brackets, or none.
    fn visit_unit<E: Error>(self) -> Result<Parts, E> {
        Ok(Parts::default())
    }
}
