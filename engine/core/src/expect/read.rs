//! Reads an expectation. Its name says which struct its fields belong to. The field `from`, which is common to all
//! expectations, is taken out first.

use std::fmt;
use std::sync::OnceLock;

use serde::Deserialize;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, VariantAccess,
    Visitor,
};

use super::check::{Check, ScenarioFacts, ScenarioFile, SpecPart};
use super::rule::Rule;
use super::{Expectation, FROM, NAMES};
use crate::diag::Place;
use crate::number::Natural;
use crate::schema::{Described, Field, Shape, Variant};

/// An expectation as it is written.
#[derive(Debug)]
pub struct ExpectationSpec {
    /// The first tick that is checked.
    pub(super) from: Option<Natural>,
    pub(super) rule: Box<dyn Rule>,
}

impl ExpectationSpec {
    /// Checks the expectation against the rest of its scenario.
    pub fn check(
        &self,
        place: Place,
        written: &mut dyn ScenarioFile,
        facts: &ScenarioFacts<'_>,
    ) -> Expectation {
        let mut rule = self.rule.clone_rule();
        let from = self.from.map(Natural::get);
        let mut check = Check { facts, from, written };
        if let Some(from) = from.filter(|from| *from > facts.ticks) {
            check.never_judged(SpecPart::Field(FROM), check.after_the_end(from));
        }
        rule.check(&mut check);
        Expectation { place, from: from.unwrap_or(0), rule }
    }
}

/// The names of the fields of an expectation, including the common field.
pub(super) type FieldNames = OnceLock<Vec<&'static str>>;

/// Reads the fields of an expectation.
pub(super) fn fields<'de, R, V>(
    access: V,
    names: &'static FieldNames,
) -> Result<ExpectationSpec, V::Error>
where
    R: Rule + Deserialize<'de> + 'static,
    V: VariantAccess<'de>,
{
    let mut from = None;
    let rule = Box::new(R::deserialize(VariantFields { access, names, from: &mut from })?);
    Ok(ExpectationSpec { from: from.flatten(), rule })
}

impl Described for ExpectationSpec {
    fn shape() -> Shape {
        Shape::Variants(super::variants())
    }
}

/// Returns what can be written for an expectation, with the common field.
pub(super) fn variant<R: Described>(name: &'static str) -> Variant {
    let Shape::Fields(mut fields) = R::shape() else {
        return Variant { name, doc: R::doc(), shape: None };
    };
    let own: Vec<&str> = fields.iter().map(|field| field.name).collect();
    if takes_from(&own) {
        let doc = "The first tick that is checked. Default: the first one of the run.";
        fields.push(Field::new::<Option<Natural>>(FROM, &[doc], false, None));
    }
    Variant { name, doc: R::doc(), shape: Some(Shape::Fields(fields)) }
}

/// Returns whether an expectation with these fields has the common field. One with `by` is always checked from the first tick on.
fn takes_from(own: &[&str]) -> bool {
    !own.contains(&"by")
}

impl<'de> Deserialize<'de> for ExpectationSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("expectation", NAMES, SpecVisitor)
    }
}

struct SpecVisitor;

impl<'de> Visitor<'de> for SpecVisitor {
    type Value = ExpectationSpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an expectation")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, all: A) -> Result<ExpectationSpec, A::Error> {
        let (Identifier::Any(name), access) = all.variant()?;
        super::read(&name, access)
    }
}

/// The name of an expectation or of a field.
#[derive(Deserialize)]
#[serde(field_identifier)]
enum Identifier {
    Any(String),
}

/// A deserializer for the fields that follow the name of an expectation.
struct VariantFields<'f, A> {
    access: A,
    names: &'static FieldNames,
    from: &'f mut Option<Option<Natural>>,
}

impl<'de, A: VariantAccess<'de>> Deserializer<'de> for VariantFields<'_, A> {
    type Error = A::Error;

    fn deserialize_any<T: Visitor<'de>>(self, visitor: T) -> Result<T::Value, A::Error> {
        self.deserialize_unit_struct("", visitor)
    }

    fn deserialize_unit_struct<T: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: T,
    ) -> Result<T::Value, A::Error> {
        self.access.unit_variant()?;
        visitor.visit_unit()
    }

    fn deserialize_struct<T: Visitor<'de>>(
        self,
        _name: &'static str,
        own: &'static [&'static str],
        visitor: T,
    ) -> Result<T::Value, A::Error> {
        let takes_from = takes_from(own);
        let names = self
            .names
            .get_or_init(|| own.iter().copied().chain(takes_from.then_some(FROM)).collect());
        let from = takes_from.then_some(self.from);
        self.access.struct_variant(names, WithoutShared { visitor, names, from })
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// A visitor that passes all fields on to another one, except the common field.
struct WithoutShared<'f, T> {
    visitor: T,
    names: &'static [&'static str],
    from: Option<&'f mut Option<Option<Natural>>>,
}

impl<'de, T: Visitor<'de>> Visitor<'de> for WithoutShared<'_, T> {
    type Value = T::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<T::Value, M::Error> {
        self.visitor.visit_map(OwnFields { map, names: self.names, from: self.from })
    }
}

struct OwnFields<'f, M> {
    map: M,
    names: &'static [&'static str],
    from: Option<&'f mut Option<Option<Natural>>>,
}

impl<'de, M: MapAccess<'de>> MapAccess<'de> for OwnFields<'_, M> {
    type Error = M::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, M::Error> {
        while let Some(Identifier::Any(name)) = self.map.next_key()? {
            match &mut self.from {
                Some(from) if name == FROM => {
                    if from.is_some() {
                        return Err(M::Error::duplicate_field(FROM));
                    }
                    **from = Some(self.map.next_value()?);
                }
                _ if self.names.contains(&name.as_str()) => {
                    return seed.deserialize(name.into_deserializer()).map(Some);
                }
                _ => return Err(M::Error::unknown_field(&name, self.names)),
            }
        }
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, M::Error> {
        self.map.next_value_seed(seed)
    }
}
