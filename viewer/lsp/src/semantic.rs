//! Semantic tokens: the meanings of the names in a file, from the same parsed knowledge as everything else.

use std::collections::BTreeMap;
use std::ops::Range;

use flockwork_engine::diag::Place;
use flockwork_engine::scenario;
use flockwork_engine::schema::{NameKind, Shape};
use flockwork_engine::script::{DeclarationKind, Topic, reference, script_names};
use flockwork_engine::tokens::TokenKind;
use flockwork_engine::tokens::ron_tree::{RonKind, RonTree, RonWord};
use lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend,
    SemanticTokensParams, SemanticTokensResult,
};

use super::names::in_scenario;
use super::project::{Project, file, is_script};
use super::rhai_text::Tokens;

/// Declares what a name can mean, in the order of the legend.
macro_rules! meanings {
    ($($Meaning:ident $TYPE:ident,)*) => {
        /// The meaning of a name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Meaning {
            $($Meaning,)*
        }

        /// The types of tokens by the numbers of the meanings.
        const TYPES: &[SemanticTokenType] = &[$(SemanticTokenType::$TYPE),*];
    };
}

meanings! {
    Group CLASS,
    Field PROPERTY,
    Param PARAMETER,
    Variant ENUM_MEMBER,
    Variable VARIABLE,
    Function FUNCTION,
    Method METHOD,
    Script NAMESPACE,
}

/// The flag of a name that is declared where it is written.
const DECLARED: u32 = 1;
/// The flag of a name that Flockwork defines.
const LIBRARY: u32 = 2;

/// Returns what the numbers of tokens mean.
pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: vec![
            SemanticTokenModifier::DECLARATION,
            SemanticTokenModifier::DEFAULT_LIBRARY,
        ],
    }
}

/// The names of a file by where they begin: where they end, what they mean, and flags.
type Meanings = BTreeMap<usize, (usize, Meaning, u32)>;

/// Returns what the names in a file mean.
pub(super) fn tokens(
    project: &mut Project,
    params: SemanticTokensParams,
) -> Option<SemanticTokensResult> {
    let path = file(&params.text_document.uri)?;
    let source = project.read(&path).ok()?;
    let (mut all, names) = if project.is_scenario(&path) {
        (of_scenario(&source.text), in_scenario(&source))
    } else if is_script(&path) {
        (of_script(&source.text), project.names_in_script(&path, &source))
    } else {
        return None;
    };
    for name in names {
        let meaning = match name.kind {
            // Behind a dot, the whole word has a meaning already.
            NameKind::State if all.contains_key(&name.place.span.start) => continue,
            NameKind::State => Meaning::Field,
            NameKind::Group => Meaning::Group,
            NameKind::Param => Meaning::Param,
            NameKind::Script => Meaning::Script,
            _ => Meaning::Variable,
        };
        let span = name.place.span;
        all.insert(span.start, (span.end, meaning, u32::from(name.is_declared) * DECLARED));
    }
    let mark = project.range(&Place { source: source.clone(), span: 0..0 }).start.character;
    let data = encoded(&source.text, mark, &all);
    Some(SemanticTokensResult::Tokens(SemanticTokens { result_id: None, data }))
}

/// Returns tokens as the protocol wants them: each one relative to the one before. `mark` is the number of columns before the text.
fn encoded(text: &str, mark: u32, all: &Meanings) -> Vec<SemanticToken> {
    let width = |part: &str| -> u32 {
        part.chars().map(|c| u32::try_from(c.len_utf16()).unwrap_or(1)).sum()
    };
    let mut data = Vec::new();
    // The byte after the last token, the columns before the last token, and where that begins.
    let (mut at, mut column, mut last) = (0, mark, 0);
    let mut lines = 0;
    for (&start, &(end, meaning, flags)) in all {
        let (Some(between), Some(name)) = (text.get(at..start), text.get(start..end)) else {
            continue;
        };
        if name.is_empty() || name.contains('\n') {
            continue;
        }
        match between.rfind('\n') {
            Some(line) => {
                lines += u32::try_from(between.matches('\n').count()).unwrap_or(0);
                column = width(&between[line + 1..]);
            }
            None => column += width(between),
        }
        let length = width(name);
        data.push(SemanticToken {
            delta_line: lines,
            delta_start: if lines > 0 { column } else { column - last },
            length,
            token_type: meaning as u32,
            token_modifiers_bitset: flags,
        });
        (last, lines, at) = (column, 0, end);
        column += length;
    }
    data
}

/// Returns the fields and variants of a scenario.
fn of_scenario(text: &str) -> Meanings {
    let tree = RonTree::new(text);
    let meaning = |word: &RonWord<'_, '_>| {
        let shape = scenario::shape();
        let is_known = if word.is_key {
            let Shape::Fields(fields) = shape.in_brackets(word.node.parent()?)? else {
                return None;
            };
            fields.iter().any(|field| field.name == word.text)
        } else {
            let variants = shape.of_value(word.node)?.variants();
            let is_string = word.node.kind() == RonKind::String;
            !is_string && variants.iter().any(|variant| variant.name == word.text)
        };
        let meaning = if word.is_key { Meaning::Field } else { Meaning::Variant };
        is_known.then_some((word.span.end, meaning, LIBRARY))
    };
    tree.words().filter_map(|word| Some((word.span.start, meaning(&word)?))).collect()
}

/// The meaning that Flockwork gives to a name.
#[derive(Clone, Copy, Default)]
struct Known {
    is_function: bool,
    is_value: bool,
    is_method: bool,
    is_property: bool,
}

/// Returns the functions, members and variables of a script.
fn of_script(text: &str) -> Meanings {
    let tokens = Tokens::new(text);
    let mut known: BTreeMap<&str, Known> = BTreeMap::new();
    for entry in reference().iter().filter(|entry| entry.topic != Topic::EntryPoints) {
        let (is_call, is_member) = (entry.signature.contains('('), entry.receiver.is_some());
        for name in &entry.names {
            let of = known.entry(name).or_default();
            of.is_function |= is_call && !is_member;
            of.is_value |= !is_call && !is_member;
            of.is_method |= is_call && is_member;
            of.is_property |= !is_call && is_member;
        }
    }
    let mut own: BTreeMap<usize, (Meaning, u32)> = BTreeMap::new();
    for one in script_names(text).declared {
        let meaning = match one.kind {
            DeclarationKind::Function { .. } => Meaning::Function,
            DeclarationKind::Import => Meaning::Script,
            _ => Meaning::Variable,
        };
        own.insert(one.name.start, (meaning, DECLARED));
        own.extend(one.uses.iter().map(|span| (span.start, (meaning, 0))));
    }
    let words = (0..tokens.all.len()).filter(|&index| tokens.all[index].kind == TokenKind::Word);
    let mut all = Meanings::new();
    for index in words {
        let name = tokens.get(index);
        let of = known.get(name).copied().unwrap_or_default();
        let before = index.checked_sub(1).map_or("", |before| tokens.get(before));
        let is_call = tokens.get(index + 1) == "(";
        let library = |is_known: bool| if is_known { LIBRARY } else { 0 };
        let meaning = match before {
            _ if let Some(&own) = own.get(&tokens.all[index].span.start) => own,
            "::" => (Meaning::Function, 0),
            "." | "?." if is_call => (Meaning::Method, library(of.is_method)),
            "." | "?." => (Meaning::Field, library(of.is_property)),
            _ if is_call && of.is_function => (Meaning::Function, LIBRARY),
            _ if of.is_value => (Meaning::Variable, LIBRARY),
            // Keywords and unknown names.
            _ => continue,
        };
        let Range { start, end } = tokens.all[index].span.clone();
        all.insert(start, (end, meaning.0, meaning.1));
    }
    all
}
