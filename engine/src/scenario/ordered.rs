//! Maps in the order they are written.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::spanned::Spanned;

/// A map as it is written: in its order, with the places of its names, and with names that are there
/// twice.
#[derive(Debug)]
pub(super) struct Ordered<V>(pub(super) Vec<(Spanned<String>, V)>);

impl<V> Default for Ordered<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Ordered<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

struct Entries<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
    type Value = Ordered<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map { \"name\": .. }")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(entry) = map.next_entry()? {
            all.push(entry);
        }
        Ok(Ordered(all))
    }
}

/// Reads the map of groups, which must hold one.
pub(super) fn groups<'de, D, V>(deserializer: D) -> Result<Ordered<V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    let all = Ordered::deserialize(deserializer)?;
    if all.0.is_empty() {
        return Err(D::Error::custom("no groups: declare at least one"));
    }
    Ok(all)
}
