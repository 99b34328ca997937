//! The schema of a RON file: fields and variants with their documentation. It is made from the types that read the
//! file, which are declared inside `described!`, so it cannot differ from what is read.

pub(crate) mod settings;

use std::fmt;

use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};

use crate::tokens::ron_tree::{MAX_DEPTH, RonKind, RonNode};
pub use settings::{ReadSetting, SettingText};

/// The kind of thing that a name in a scenario or a script refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NameKind {
    /// A group.
    Group,
    /// An obstacle.
    Obstacle,
    /// A path.
    Path,
    /// A flow field.
    Field,
    /// A layer.
    Layer,
    /// A param of a group.
    Param,
    /// An input.
    Input,
    /// A shared value of the world.
    Shared,
    /// A value in the state of agents, which may be public.
    State,
    /// A script.
    Script,
}

/// The form of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// A value without named parts, in words: "a number above 0".
    Value(String),
    /// The name of something, as a string.
    Name(NameKind),
    /// Fields in round brackets.
    Fields(Vec<Field>),
    /// One of several variants.
    Variants(Vec<Variant>),
    /// A value without named parts, in words, or one of several variants.
    ValueOrVariants(String, Vec<Variant>),
    /// A list of values.
    List(Box<Self>),
    /// Two values of one kind in round brackets.
    Pair(Box<Self>),
    /// A map from names to values.
    Map(Box<Self>),
}

/// A field that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its documentation.
    pub doc: String,
    /// Whether it must be written.
    pub is_required: bool,
    /// Its value.
    pub shape: Shape,
}

/// A variant that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// Its documentation; empty if it has none.
    pub doc: String,
    /// The content of its brackets: fields or one value; `None` for a variant without brackets.
    pub shape: Option<Shape>,
}

impl Shape {
    /// Returns the shape with the name of something in place of strings.
    fn naming(self, kind: Option<NameKind>) -> Self {
        match (self, kind) {
            (Self::Value(_), Some(kind)) => Self::Name(kind),
            (Self::List(of), _) => Self::List(Box::new(of.naming(kind))),
            (Self::Pair(of), _) => Self::Pair(Box::new(of.naming(kind))),
            (Self::Map(of), _) => Self::Map(Box::new(of.naming(kind))),
            (other, _) => other,
        }
    }
}

/// Queries for what can be written at a place of a file with a shape.
impl Shape {
    /// Returns the variants of which one can be written; none if no variant can be.
    pub fn variants(&self) -> &[Variant] {
        match self {
            Self::Variants(variants) | Self::ValueOrVariants(_, variants) => variants,
            _ => &[],
        }
    }

    /// Returns the shape of a value that may be written as a variant of another shape instead.
    pub fn or_variants(self, other: &Self) -> Self {
        Self::ValueOrVariants(self.to_string(), other.variants().to_vec())
    }

    /// Returns what can be written in brackets of a file. `None` if what they are in is unknown.
    pub fn in_brackets(&self, brackets: RonNode<'_, '_>) -> Option<&Self> {
        match brackets.parent() {
            None => Some(self),
            Some(_) if brackets.depth() > MAX_DEPTH => None,
            Some(_) => self.of_value(brackets)?.opened(brackets),
        }
    }

    /// Returns what can be written instead of a value of a file. `None` if it is not in brackets, or if what it is in is unknown.
    pub fn of_value(&self, value: RonNode<'_, '_>) -> Option<&Self> {
        let brackets = value.parent()?;
        self.in_brackets(brackets)?.next_value(brackets, value.key())
    }

    /// Returns what can be written as the value behind a key in brackets with this shape; `None` where the name of a field is expected.
    pub fn next_value(&self, brackets: RonNode<'_, '_>, key: Option<&str>) -> Option<&Self> {
        match self {
            Self::Fields(fields) => {
                let field = fields.iter().find(|field| Some(field.name) == key)?;
                Some(&field.shape)
            }
            Self::Map(of) if brackets.kind() == RonKind::Map => key.map(|_| &**of),
            Self::List(of) if brackets.kind() == RonKind::List => Some(of),
            Self::Pair(of) if brackets.name().is_none() => key.is_none().then_some(of),
            // The only value of a variant.
            other => Some(other),
        }
    }

    /// Returns what can be written in a bracket that opens a value of this shape.
    fn opened(&self, value: RonNode<'_, '_>) -> Option<&Self> {
        match (self, value.kind(), value.name()) {
            (_, RonKind::Struct | RonKind::Tuple, Some(name)) if !self.variants().is_empty() => {
                self.variants().iter().find(|one| one.name == name)?.shape.as_ref()
            }
            (Self::Fields(_) | Self::Pair(_), RonKind::Struct | RonKind::Tuple, None)
            | (Self::List(_), RonKind::List, _)
            | (Self::Map(_), RonKind::Map, _) => Some(self),
            _ => None,
        }
    }

    /// Returns whether it is a string.
    pub fn is_string(&self) -> bool {
        match self {
            Self::Name(_) => true,
            other => *other == String::shape(),
        }
    }
}

impl fmt::Display for NameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Group => "a group",
            Self::Obstacle => "an obstacle",
            Self::Path => "a path",
            Self::Field => "a field",
            Self::Layer => "a layer",
            Self::Param => "a param",
            Self::Input => "an input",
            Self::Shared => "a shared value",
            Self::State => "a state",
            Self::Script => "a script",
        })
    }
}

/// Writes in one line what can be written: `(center: .., angle_deg?: ..)`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the parts of parts.
        let short = |of: &Self| match of {
            Self::Fields(_) => "(..)".to_owned(),
            of => of.to_string(),
        };
        match self {
            Self::Value(words) => f.write_str(words),
            Self::Name(kind) => write!(f, "the name of {kind}"),
            Self::Fields(fields) => {
                let names = fields.iter().map(|field| {
                    format!("{}{}: ..", field.name, if field.is_required { "" } else { "?" })
                });
                write!(f, "({})", names.collect::<Vec<_>>().join(", "))
            }
            Self::Variants(variants) => {
                let names: Vec<_> = variants.iter().map(|one| one.name).collect();
                f.write_str(&names.join(" | "))
            }
            Self::ValueOrVariants(words, variants) => {
                write!(f, "{words} | {}", Self::Variants(variants.clone()))
            }
            Self::List(of) => write!(f, "[{}, ..]", short(of)),
            Self::Pair(of) => write!(f, "({of}, {of})", of = short(of)),
            Self::Map(of) => write!(f, "{{ \"name\": {}, .. }}", short(of)),
        }
    }
}

/// Writes the variant with what is in its brackets: `Circle(center: .., radius: ..)`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shape {
            None => f.write_str(self.name),
            Some(fields @ Shape::Fields(_)) => write!(f, "{}{fields}", self.name),
            Some(value) => write!(f, "{}({value})", self.name),
        }
    }
}

impl Field {
    /// Creates a field of a type that is read.
    pub fn new<T: Described>(
        name: &'static str,
        doc: &[&str],
        has_default: bool,
        names: Option<NameKind>,
    ) -> Self {
        Self {
            name: name.trim_start_matches("r#"),
            doc: text(doc),
            is_required: !has_default && !T::IS_OPTIONAL,
            shape: T::shape().naming(names),
        }
    }
}

/// Returns lines of documentation as text, without spaces around the lines.
pub fn text(lines: &[&str]) -> String {
    let lines = lines.iter().map(|line| line.trim());
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// A type that is read from a file.
pub trait Described {
    /// Whether a field of this type can be left out.
    const IS_OPTIONAL: bool = false;

    /// Returns its documentation; empty if it has none.
    fn doc() -> String {
        String::new()
    }

    /// Returns what can be written.
    fn shape() -> Shape;
}

impl<T: Described> Described for Option<T> {
    const IS_OPTIONAL: bool = true;

    fn shape() -> Shape {
        T::shape()
    }
}

impl<T: Described> Described for Vec<T> {
    fn shape() -> Shape {
        Shape::List(Box::new(T::shape()))
    }
}

/// Describes types without named parts.
#[doc(hidden)]
#[macro_export]
macro_rules! __values {
    ($($type:ty: $expected:expr;)*) => {$(
        impl $crate::schema::Described for $type {
            fn shape() -> $crate::schema::Shape {
                $crate::schema::Shape::Value(String::from($expected))
            }
        }
    )*};
}
#[doc(inline)]
pub use __values as values;

values! {
    String: "a string";
    bool: "true or false";
}

/// Returns the variants of an enum without documentation, as its own reader names them.
pub fn variants_of<T: DeserializeOwned>() -> Shape {
    struct Names<'n>(&'n mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for Names<'_> {
        type Error = serde::de::value::Error;

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
            Err(Error::custom("only the names are asked for"))
        }

        fn deserialize_enum<V: Visitor<'de>>(
            self,
            _: &'static str,
            variants: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            *self.0 = variants;
            self.deserialize_any(visitor)
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
            unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
        }
    }

    let mut names: &'static [&'static str] = &[];
    let _ = T::deserialize(Names(&mut names));
    let variant = |&name| Variant { name, doc: String::new(), shape: None };
    Shape::Variants(names.iter().map(variant).collect())
}

/// Describes enums that are declared elsewhere, by the names that their own readers know.
macro_rules! enums {
    ($($Name:ty),*) => {$(
        impl $crate::schema::Described for $Name {
            fn shape() -> $crate::schema::Shape {
                $crate::schema::variants_of::<Self>()
            }
        }
    )*};
}
pub(crate) use enums;

/// Declares a type that is read from a file, and describes it by the same declaration. A field with `=> Group` has the name of a
/// group. A field with `as Kind` is described like that type, which its own attribute for serde has to read. Fields behind a
/// `;` are not read.
#[doc(hidden)]
#[macro_export]
macro_rules! __described {
    (
        $(#[$($meta:tt)*])* $vis:vis struct $Name:ident $(<const $C:ident: $CT:ty>)? {
            $($(#[$($fmeta:tt)*])* $fvis:vis $field:ident: $ty:ty $(as $read:ty)? $(=> $kind:ident)?),* $(,)?
            $(; $($(#[$($smeta:tt)*])* $svis:vis $sfield:ident: $sty:ty),* $(,)?)?
        }
    ) => {
        $(#[$($meta)*])*
        $vis struct $Name $(<const $C: $CT>)? {
            $($(#[$($fmeta)*])* $fvis $field: $ty,)*
            $($(#[serde(skip)] $(#[$($smeta)*])* $svis $sfield: $sty,)*)?
        }

        impl $(<const $C: $CT>)? $crate::schema::Described for $Name $(<$C>)? {
            fn doc() -> String {
                $crate::schema::text(&[$($crate::schema::described!(@doc $($meta)*)),*])
            }

            fn shape() -> $crate::schema::Shape {
                $crate::schema::Shape::Fields(
                    $crate::schema::described!(@fields $($([$($fmeta)*])* $field: $ty $(as $read)? $(=> $kind)?,)*),
                )
            }
        }
    };
    (
        $(#[$($meta:tt)*])* $vis:vis enum $Name:ident {
            $(
                $(#[$($vmeta:tt)*])* $Variant:ident
                $({ $($(#[$($fmeta:tt)*])* $field:ident: $ty:ty $(as $read:ty)? $(=> $kind:ident)?),* $(,)? })?
                $(($inner:ty))?
            ),* $(,)?
        }
    ) => {
        $(#[$($meta)*])*
        $vis enum $Name {
            $($(#[$($vmeta)*])* $Variant $({ $($(#[$($fmeta)*])* $field: $ty),* })? $(($inner))?,)*
        }

        impl $crate::schema::Described for $Name {
            fn shape() -> $crate::schema::Shape {
                $crate::schema::Shape::Variants(vec![$($crate::schema::Variant {
                    name: stringify!($Variant),
                    doc: $crate::schema::text(&[$($crate::schema::described!(@doc $($vmeta)*)),*]),
                    shape: $crate::schema::described!(
                        @content
                        $({ $($([$($fmeta)*])* $field: $ty $(as $read)? $(=> $kind)?,)* })?
                        $(($inner))?
                    ),
                }),*])
            }
        }
    };
    (@content) => {
        None
    };
    (@content { $($fields:tt)* }) => {
        Some($crate::schema::Shape::Fields($crate::schema::described!(@fields $($fields)*)))
    };
    (@content ($inner:ty)) => {
        Some(<$inner as $crate::schema::Described>::shape())
    };
    (@fields $($([$($fmeta:tt)*])* $field:ident: $ty:ty $(as $read:ty)? $(=> $kind:ident)?,)*) => {
        vec![$($crate::schema::Field::new::<$crate::schema::described!(@read $ty $(as $read)?)>(
            stringify!($field),
            &[$($crate::schema::described!(@doc $($fmeta)*)),*],
            false $(|| $crate::schema::described!(@default $($fmeta)*))*,
            $crate::schema::described!(@names $($kind)?),
        )),*]
    };
    (@read $ty:ty) => {
        $ty
    };
    (@read $ty:ty as $read:ty) => {
        $read
    };
    (@doc doc = $doc:literal) => {
        $doc
    };
    (@doc $($other:tt)*) => {
        ""
    };
    (@default serde(default $($more:tt)*)) => {
        true
    };
    (@default $($other:tt)*) => {
        false
    };
    (@names) => {
        None
    };
    (@names $kind:ident) => {
        Some($crate::schema::NameKind::$kind)
    };
}
#[doc(inline)]
pub use __described as described;

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    described! {
        /// A thing.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Thing {
            /// What it is called.
            name: String,
            #[serde(default)]
            other: Kind,
            of: Option<Vec<String>> => Group,
            ;
            /// It is not written.
            _state: u8,
        }
    }

    described! {
        #[derive(Default, Deserialize)]
        enum Kind {
            /// The usual one.
            #[default]
            Plain,
            Round { r#in: bool },
            List(Vec<bool>),
        }
    }

    #[test]
    fn a_declaration_describes_what_it_reads() {
        assert_eq!(Thing::doc(), "A thing.");
        let Shape::Fields(fields) = Thing::shape() else { panic!("fields") };
        let names: Vec<_> = fields.iter().map(|one| (one.name, one.is_required)).collect();
        assert_eq!(names, [("name", true), ("other", false), ("of", false)]);
        assert_eq!(fields[0].doc, "What it is called.");
        assert_eq!(fields[2].shape, Shape::List(Box::new(Shape::Name(NameKind::Group))));
        let Shape::Variants(variants) = &fields[1].shape else { panic!("variants") };
        let names: Vec<_> = variants.iter().map(|one| (one.name, &*one.doc)).collect();
        assert_eq!(names, [("Plain", "The usual one."), ("Round", ""), ("List", "")]);
        let Some(Shape::Fields(fields)) = &variants[1].shape else { panic!("fields") };
        assert_eq!((fields[0].name, fields[0].is_required), ("in", true));
        // The same names as serde reads.
        let Shape::Variants(known) = variants_of::<Kind>() else { panic!("variants") };
        assert!(known.iter().map(|one| one.name).eq(variants.iter().map(|one| one.name)));
        let text = r#"{"name": "a", "other": {"Round": {"in": true}}, "of": null}"#;
        let read: Thing = serde_json::from_str(text).unwrap();
        assert_eq!((&*read.name, read.of.is_none(), read._state), ("a", true, 0));
        assert!(matches!(read.other, Kind::Round { r#in: true }));
        let list: Kind = serde_json::from_str(r#"{"List": [true]}"#).unwrap();
        assert!(matches!(list, Kind::List(all) if all == [true]));
    }
}
