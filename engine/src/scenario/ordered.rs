//! Maps and lists in the order in which they are written.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::spanned::Spanned;
use crate::schema::{Described, Shape};

/// Number of errors that are reported. More would not be read, and searching for similar names takes time.
pub(crate) const MAX_ERRORS: usize = 50;

/// A value that may contain an error from reading it.
pub(crate) trait MayFail {
    /// Returns whether it contains an error.
    fn has_failed(&self) -> bool;
}

impl<T> MayFail for Spanned<T> {
    fn has_failed(&self) -> bool {
        self.read.is_err()
    }
}

/// Number of errors in one map or list after which the rest is not read, since each error takes time.
const MAX_FAILURES: usize = 10_000;

/// Counts entries with errors. Errors take memory: once there are more than are reported, further entries with errors
/// are dropped.
#[derive(Default)]
struct Failures(usize);

impl Failures {
    fn keeps<E: Error>(&mut self, has_failed: bool) -> Result<bool, E> {
        self.0 += usize::from(has_failed);
        if self.0 > MAX_FAILURES {
            return Err(E::custom(format!(
                "more than {MAX_FAILURES} entries up to here cannot be read: fix the first of them"
            )));
        }
        Ok(!has_failed || self.0 <= MAX_ERRORS)
    }
}

/// A map as it is written: in its order, with the places of its names, and including names that are written twice.
#[derive(Debug)]
pub(crate) struct Ordered<V>(pub(crate) Vec<(Spanned<String>, V)>);

impl<V: Described> Described for Ordered<V> {
    fn shape() -> Shape {
        Shape::Map(Box::new(V::shape()))
    }
}

impl<V> Default for Ordered<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, V: Deserialize<'de> + MayFail> Deserialize<'de> for Ordered<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MapVisitor(PhantomData))
    }
}

struct MapVisitor<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de> + MayFail> Visitor<'de> for MapVisitor<V> {
    type Value = Ordered<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map { \"name\": .. }")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut all, mut failures) = (Vec::new(), Failures::default());
        while let Some((name, value)) = map.next_entry::<Spanned<String>, V>()? {
            if failures.keeps(name.has_failed() || value.has_failed())? {
                all.push((name, value));
            }
        }
        Ok(Ordered(all))
    }
}

/// Reads the map of groups, which must not be empty.
pub(crate) fn groups<'de, D, V>(deserializer: D) -> Result<Ordered<V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de> + MayFail,
{
    let all = Ordered::deserialize(deserializer)?;
    if all.0.is_empty() {
        return Err(D::Error::custom("no groups: declare at least one"));
    }
    Ok(all)
}

/// Reads a list.
pub(crate) fn list<'de, D, V>(deserializer: D) -> Result<Vec<V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de> + MayFail,
{
    deserializer.deserialize_seq(ListVisitor(PhantomData))
}

struct ListVisitor<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de> + MayFail> Visitor<'de> for ListVisitor<V> {
    type Value = Vec<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list [..]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let (mut all, mut failures) = (Vec::new(), Failures::default());
        while let Some(item) = seq.next_element::<V>()? {
            if failures.keeps(item.has_failed())? {
                all.push(item);
            }
        }
        Ok(all)
    }
}
