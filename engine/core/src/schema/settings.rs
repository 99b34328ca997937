//! Settings: values that a scenario may leave out, such as those of a body. Each is declared once, inside `settings!`. From its
//! declaration follow its documentation, how it is read and checked, its default, and its text in comparisons.

use std::fmt::Debug;

use super::Described;

/// A type that reads a setting from a file, and knows which values the setting can have.
pub trait ReadSetting: Described {
    /// The type of the values.
    type Value;

    /// Returns the value that was read.
    fn value(self) -> Self::Value;

    /// Returns what is wrong with a value that a program has set, as the words after "must". `None` if it is valid.
    fn problem(value: &Self::Value) -> Option<&'static str>;

    /// Returns the value as text, which is equal only for equal values.
    fn text(value: &Self::Value) -> String;

    /// Whether it is a number, so that it can be drawn for each agent.
    const IS_NUMBER: bool = false;

    /// Sets the number at a path of names in a value, as a file has it; the value itself for the empty path. Returns whether there is such
    /// a number, and whether it can be that one.
    fn set_number(_value: &mut Self::Value, _path: &[&str], _number: f32) -> bool {
        false
    }
}

/// A setting with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingText {
    /// Its name in scenarios.
    pub name: &'static str,
    /// Its value as text.
    pub text: String,
    /// Whether the text is for people to read.
    pub is_short: bool,
    /// Whether it only changes how forces move the agent that has it, and for example not what others perceive of it.
    pub is_of_motion: bool,
}

impl SettingText {
    /// Returns a setting with a text for people.
    pub(crate) fn short(name: &'static str, text: impl ToString) -> Self {
        Self { name, text: text.to_string(), is_short: true, is_of_motion: false }
    }

    /// Returns a setting with a text that is only compared.
    pub(crate) fn long(name: &'static str, value: &dyn Debug) -> Self {
        Self { is_short: false, ..Self::short(name, format!("{value:?}")) }
    }
}

impl ReadSetting for bool {
    type Value = Self;

    fn value(self) -> Self {
        self
    }

    fn problem(_: &Self) -> Option<&'static str> {
        None
    }

    fn text(value: &Self) -> String {
        value.to_string()
    }
}

/// Declares a struct of settings, and the type that reads them from a scenario. Each setting has the type of its value, behind `as` the
/// [type that reads it](ReadSetting), and its default. If scenarios give it another name, that name is in brackets, with a sentence for
/// the documentation of the value. The type `Drawable<T>` has to be in scope: it describes a setting of the type `T` that may be drawn
/// for each agent. Behind `=> perceived` are settings that change more than how forces move an agent.
macro_rules! settings {
    (
        $(#[$($meta:tt)*])* pub struct $Name:ident, read as $Spec:ident, $title:literal { $($settings:tt)* }
    ) => {
        $crate::schema::settings::settings! {
            @sort [$(#[$($meta)*])* $Name $Spec $title] [] $($settings)*
        }
    };
    (
        @sort $head:tt [$($sorted:tt)*]
        $(#[$($meta:tt)*])* $field:ident: $value:ty as $read:ty = $default:expr $(=> $mark:ident)?, $($rest:tt)*
    ) => {
        $crate::schema::settings::settings! {
            @sort $head
            [$($sorted)* [$(#[$($meta)*])*] [""] $field $field ($value) ($read) ($default) [$($mark)?]]
            $($rest)*
        }
    };
    (
        @sort $head:tt [$($sorted:tt)*]
        $(#[$($meta:tt)*])* $field:ident ($name:ident, $note:literal): $value:ty as $read:ty = $default:expr
        $(=> $mark:ident)?, $($rest:tt)*
    ) => {
        $crate::schema::settings::settings! {
            @sort $head
            [$($sorted)* [$(#[$($meta)*])*] [$note] $field $name ($value) ($read) ($default) [$($mark)?]]
            $($rest)*
        }
    };
    (
        @sort [$(#[$($meta:tt)*])* $Name:ident $Spec:ident $title:literal]
        [$(
            [$(#[$($doc:tt)*])*] [$note:literal] $field:ident $name:ident ($value:ty) ($read:ty) ($default:expr) [$($mark:ident)?]
        )*]
    ) => {
        $(#[$($meta)*])*
        pub struct $Name {
            $($(#[$($doc)*])* #[doc = $note] pub $field: $value,)*
        }

        impl Default for $Name {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }

        $crate::schema::described! {
            #[doc = concat!("The part of a scenario that declares a [`", stringify!($Name), "`].")]
            #[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
            #[serde(rename = $title, deny_unknown_fields)]
            pub struct $Spec {
                $($(#[$($doc)*])* pub $name: Option<$read> as Option<Drawable<$read>>,)*
            }
        }

        impl $Spec {
            /// Returns whether a setting is written.
            pub fn is_written(&self, name: &str) -> bool {
                match name {
                    $(stringify!($name) => self.$name.is_some(),)*
                    _ => false,
                }
            }

            /// Returns the values that are written. Those that are left out are taken from `other`.
            pub fn or(&self, other: &$Name) -> $Name {
                $Name {
                    $($field: self.$name.map_or(other.$field, $crate::schema::ReadSetting::value),)*
                }
            }
        }

        impl $Name {
            /// Returns all values as strings, in the order of the declaration.
            pub fn settings(&self) -> Vec<$crate::schema::SettingText> {
                vec![$($crate::schema::SettingText {
                    name: stringify!($name),
                    text: <$read as $crate::schema::ReadSetting>::text(&self.$field),
                    is_short: true,
                    is_of_motion: stringify!($($mark)?).is_empty(),
                }),*]
            }

            /// Returns the names of the settings whose values cannot be, each with the words after "must".
            pub fn problems(&self) -> Vec<(&'static str, &'static str)> {
                let all = [$((
                    stringify!($name),
                    <$read as $crate::schema::ReadSetting>::problem(&self.$field),
                )),*];
                all.into_iter().filter_map(|(name, problem)| Some((name, problem?))).collect()
            }
        }

        impl $crate::schema::ReadSetting for $Spec {
            type Value = $Name;

            fn value(self) -> $Name {
                self.or(&$Name::default())
            }

            fn problem(value: &$Name) -> Option<&'static str> {
                value.problems().first().map(|(_, problem)| *problem)
            }

            fn text(value: &$Name) -> String {
                let all = value.settings().into_iter().map(|one| format!("{}: {}", one.name, one.text));
                format!("({})", all.collect::<Vec<_>>().join(", "))
            }

            fn set_number(value: &mut $Name, path: &[&str], number: f32) -> bool {
                let Some((&name, rest)) = path.split_first() else { return false };
                match name {
                    $(stringify!($name) => {
                        <$read as $crate::schema::ReadSetting>::set_number(&mut value.$field, rest, number)
                    })*
                    _ => false,
                }
            }
        }
    };
}
pub(crate) use settings;
