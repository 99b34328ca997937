//! The reference of everything that scripts can call and read, as data.

use super::api;

/// A function, operator, method or property.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// Its names, which all mean the same.
    pub names: &'static [&'static str],
    /// How it is written, such as `v.limit(longest)`.
    pub signature: String,
    /// Its description, in one sentence.
    pub doc: &'static str,
    /// Its parameters; the first one of a method or a property is the value it belongs to.
    pub params: Vec<EntryValue>,
    /// Its result.
    pub result: EntryValue,
}

/// A parameter or a result of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntryValue {
    /// Its name; empty for a result.
    pub name: &'static str,
    /// Its type, as a sentence.
    pub kind: &'static str,
    /// Its unit; empty if it has none.
    pub unit: &'static str,
}

/// Returns everything that scripts can call and read, except primitives and combinators, which are in
/// [`PRIMITIVES`](crate::steer::PRIMITIVES) and [`COMBINATORS`](crate::steer::COMBINATORS).
pub fn reference() -> impl Iterator<Item = Entry> {
    api::all().map(|function| Entry {
        names: function.names,
        signature: function.signature(),
        doc: function.doc.trim(),
        params: function
            .params
            .iter()
            .map(|param| EntryValue {
                name: param.name,
                kind: param.kind.doc().trim(),
                unit: param.unit,
            })
            .collect(),
        result: EntryValue { name: "", kind: function.result.doc().trim(), unit: function.unit },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_a_description_and_types() {
        for entry in reference() {
            let Entry { signature, doc, params, result, .. } = &entry;
            assert!(
                doc.ends_with('.') && doc.starts_with(char::is_uppercase),
                "{signature}: {doc}"
            );
            for part in params.iter().chain([result]) {
                assert!(!part.kind.is_empty(), "{signature}");
            }
        }
    }

    #[test]
    fn signatures_are_as_scripts_write_them() {
        let all: Vec<String> = reference().map(|entry| entry.signature).collect();
        for known in ["v.length()", "vec(x, y)", "a + b", "-x", "me.to(target)", "world.time"] {
            assert!(all.iter().any(|one| one == known), "{known}");
        }
    }
}
