//! What scripts can call and read, as data for a reference.

use super::api;

/// A function, operator, method or property.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// What it is called; all names mean the same.
    pub names: &'static [&'static str],
    /// How it is written: `v.limit(longest)`.
    pub signature: String,
    /// What it does, in one line.
    pub doc: &'static str,
    /// What it takes: a method and a property first what they belong to.
    pub params: Vec<EntryValue>,
    /// What it gives.
    pub result: EntryValue,
}

/// A parameter or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntryValue {
    /// Its name; empty for a result.
    pub name: &'static str,
    /// What it is.
    pub kind: &'static str,
    /// Its unit; empty where the kind says it all.
    pub unit: &'static str,
}

/// Returns what scripts can call and read beside the primitives, which are in
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
    fn every_entry_says_what_it_is() {
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
