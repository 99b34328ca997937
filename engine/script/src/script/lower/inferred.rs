//! The types that the lowering finds, by the places of a script, for editors.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rhai::Position;

use super::value::LoweredValue;
use super::{GroupFacts, Lowering, note_types};
use crate::diag::{Place, Source};
use crate::program::Type;
use crate::script::compile::Script;
use crate::script::lower::value::type_name;

/// The types of the value at a place of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InferredType {
    /// The place of a variable, a constant, a property, or the name of a function, whose result it is.
    pub place: Place,
    /// The types, in words without an article, such as `vector` or `()`: several if it may differ between agents.
    pub types: Vec<&'static str>,
    /// The keys of a constant map.
    pub keys: Vec<String>,
}

/// The types by the name of the file, the line and the column.
pub(super) type TypesAt = BTreeMap<(String, usize, usize), NotedTypes>;

/// The types at a place, and the keys of constant maps.
#[derive(Clone, Debug, Default)]
pub(super) struct NotedTypes {
    types: BTreeSet<&'static str>,
    keys: BTreeSet<String>,
}

impl Lowering<'_> {
    /// Notes the types of the value at a position, if types are asked for.
    pub(super) fn note_types(&mut self, value: &LoweredValue, position: Position) {
        let Some(frame) = self.frames.last() else { return };
        let (Some(line), Some(column)) = (position.line(), position.position()) else { return };
        if let Some(types) = &mut self.inferred.types_at {
            let key = (frame.script.source.name.clone(), line, column);
            let noted = types.entry(key).or_default();
            noted.types.extend(words(value));
            if let LoweredValue::Constant(pick) = value {
                for map in pick.candidates.iter().filter_map(|one| one.as_map_ref().ok()) {
                    noted.keys.extend(map.keys().map(ToString::to_string));
                }
            }
        }
    }
}

/// Returns the types of a value in words.
fn words(value: &LoweredValue) -> Vec<&'static str> {
    let word = |text: &'static str| {
        let text = text.trim_matches('`');
        text.split_once(' ').map_or(text, |(_, word)| word)
    };
    match value {
        LoweredValue::Typed(cases) => {
            let types = cases.iter().map(|case: &super::TypeCase| -> Type { case.ty });
            types.map(|ty| word(type_name(ty))).collect()
        }
        LoweredValue::Interpreted | LoweredValue::Differing(_) => Vec::new(),
        other => vec![word(other.description())],
    }
}

/// Returns the types in a source, which is that of a script or of one that it imports, as far as agents of groups reach them. Groups of the
/// same kind have the same types.
pub(in crate::script) fn types(
    script: &Script,
    source: &Source,
    groups: impl IntoIterator<Item = GroupFacts>,
) -> Vec<InferredType> {
    let mut all = std::iter::once(&script.source).chain(&script.imported);
    let Some(source) = all.find(|one| one.name == source.name) else { return Vec::new() };
    let mut noted = TypesAt::new();
    let mut known: Vec<GroupFacts> = Vec::new();
    for facts in groups {
        let is_same = |one: &GroupFacts| one.kind == facts.kind && one.names == facts.names;
        if !known.iter().any(is_same) && !note_types(script, &facts, &mut noted) {
            known.push(facts);
        }
    }
    let here = noted
        .into_iter()
        .filter(|((name, ..), noted)| *name == source.name && !noted.types.is_empty());
    let all = here.map(|((_, line, column), noted)| InferredType {
        place: Place {
            source: Arc::clone(source),
            span: source.token(source.offset(line, column)),
        },
        types: noted.types.into_iter().collect(),
        keys: noted.keys.into_iter().collect(),
    });
    all.collect()
}
