//! The tree of a file agrees with what RON reads in it.

use std::fmt;
use std::ops::Range;

use proptest::prelude::*;
use ron::value::RawValue;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::scenario::options;
use crate::scenario::text_parts::part_name;
use crate::tokens::ron_tree::{RonKind, RonNode, RonTree};

/// The parts of a value as RON reads them.
struct Parts<'t> {
    all: Vec<(String, &'t RawValue)>,
    is_list: bool,
}

impl<'de: 't, 't> Deserialize<'de> for Parts<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PartsVisitor;

        impl<'de> Visitor<'de> for PartsVisitor {
            type Value = Parts<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value with parts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts<'de>, A::Error> {
                let mut all = Vec::new();
                while let Some(part) = map.next_entry()? {
                    all.push(part);
                }
                Ok(Parts { all, is_list: false })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Parts<'de>, A::Error> {
                let mut all = Vec::new();
                while let Some(part) = list.next_element()? {
                    all.push((all.len().to_string(), part));
                }
                Ok(Parts { all, is_list: true })
            }

            fn visit_unit<E: Error>(self) -> Result<Parts<'de>, E> {
                Ok(Parts { all: Vec::new(), is_list: false })
            }
        }

        deserializer.deserialize_any(PartsVisitor)
    }
}

/// Checks a value of a tree, which RON reads in a part of the text.
fn check(text: &str, read: Range<usize>, node: RonNode<'_, '_>) {
    let written = &text[read.clone()];
    assert_eq!(node.text(), written);
    assert_eq!(node.span(), read);
    let Ok(parts) = options().from_str::<Parts<'_>>(written) else {
        assert_eq!(node.opening(), None, "{written}");
        assert_eq!(
            options().from_str::<String>(written).is_ok(),
            node.kind() == RonKind::String && !written.starts_with('b'),
            "{written}"
        );
        return;
    };
    let is_list = matches!(node.kind(), RonKind::List | RonKind::Tuple);
    // Empty round brackets can be both.
    assert!(parts.is_list == is_list || parts.all.is_empty(), "{written}");
    assert_eq!(parts.all.len(), node.children().count(), "{written}");
    for (index, ((name, value), child)) in parts.all.into_iter().zip(node.children()).enumerate() {
        assert_eq!(part_name(index, child), name, "{written}");
        let value = value.trim().get_ron();
        let start = value.as_ptr().addr() - text.as_ptr().addr();
        check(text, start..start + value.len(), child);
    }
}

/// Checks the whole tree of a text, and the trees of its parts.
fn check_text(text: &str) {
    let whole: &RawValue = options().from_str(text).unwrap_or_else(|e| panic!("{text}\n{e}"));
    let tree = RonTree::new(text);
    let root = tree.root().unwrap();
    let whole = whole.trim().get_ron();
    let start = whole.as_ptr().addr() - text.as_ptr().addr();
    if !text.starts_with("#!") {
        check(text, start..start + whole.len(), root);
    }
    for node in tree.nodes() {
        let part = RonTree::of_part(text, node.span());
        assert_eq!(part.root().map(RonNode::span), Some(node.span()));
        assert_eq!(part.nodes().count(), tree.nodes().filter(|one| node.contains(*one)).count());
    }
}

#[test]
fn the_tree_of_a_file_that_ships_is_what_ron_reads() {
    let folders =
        ["../scenarios", "../viewer/src", "src/scenario/tests"].map(walkdir::WalkDir::new);
    let mut count = 0;
    for entry in folders.into_iter().flatten() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy();
        let text = || std::fs::read_to_string(entry.path()).unwrap();
        if name.ends_with(".ron") && options().from_str::<&RawValue>(&text()).is_ok() {
            check_text(&text());
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

/// White space and comments.
fn trivia() -> impl Strategy<Value = String> {
    let one = prop_oneof![
        "[ \t\n\r\u{85}\u{200E}]{0,2}",
        "//[a-z*/\"(),:]{0,5}\n",
        "/\\*[a-z\"(), :\\]]{0,5}(/\\*[a-z,)]{0,3}\\*/)?\\*/",
    ];
    prop_oneof![
        5 => Just(String::new()),
        2 => Just(" ".to_owned()),
        1 => prop::collection::vec(one, 0..3).prop_map(|all| all.concat()),
    ]
}

/// A list of parts between brackets, with commas and white space.
fn in_brackets(
    open: &'static str,
    part: impl Strategy<Value = String> + 'static,
    close: &'static str,
) -> impl Strategy<Value = String> {
    let part =
        (trivia(), part, trivia()).prop_map(|(before, part, after)| [before, part, after].concat());
    (prop::collection::vec(part, 0..4), any::<bool>(), trivia()).prop_map(
        move |(parts, has_comma, space)| {
            let comma = if has_comma && !parts.is_empty() { "," } else { "" };
            format!("{open}{}{comma}{space}{close}", parts.join(","))
        },
    )
}

/// Any value.
fn value() -> impl Strategy<Value = String> {
    let words = [
        "1",
        "-2.5e-3",
        "+1",
        "1_000",
        "0x1f",
        ".5",
        "-inf",
        "inf",
        "NaN",
        "true",
        "Wrap",
        "r#a-b",
        "()",
        "\"\"",
        "\"a, (\\\"\"",
        "\"\n//\"",
        "r\"\\\"",
        "r#\"\"b\")\"#",
        "b\"\\\"c,\"",
        "br#\"[\"#",
        "'c'",
        "'\\''",
        "'\"'",
        "b'x'",
    ];
    let leaf = prop::sample::select(words.to_vec()).prop_map(str::to_owned);
    leaf.prop_recursive(4, 40, 5, |value| {
        let field =
            ("[a-z_][a-z0-9_]{0,3}|r#[a-z][a-z.+-]{0,3}", trivia(), trivia(), value.clone())
                .prop_map(|(name, before, after, value)| format!("{name}{before}:{after}{value}"));
        let keys = ["a", "b.c", "", "\\u{fc}\\n", "\\x41\\xc3\\xa4", "\\\\\\\"", "ü("]
            .map(|key| format!("\"{key}\""));
        let keys = [&keys[..], &["r#\"\"\\u{fc}\"#".to_owned()]].concat();
        let entry = (prop::sample::select(keys), trivia(), trivia(), value.clone())
            .prop_map(|(name, before, after, value)| format!("{name}{before}:{after}{value}"));
        let name = prop::sample::select(&["", "A", "Disc", "r#b"][..]);
        let fields =
            prop_oneof![in_brackets("(", field, ")"), in_brackets("(", value.clone(), ")")];
        prop_oneof![
            (name, trivia(), fields).prop_map(|(name, space, fields)| match name {
                "" => fields,
                _ => format!("{name}{space}{fields}"),
            }),
            in_brackets("[", value, "]"),
            in_brackets("{", entry, "}"),
        ]
    })
}

proptest! {
    #[test]
    fn the_tree_of_a_value_is_what_ron_reads(before in trivia(), value in value(), after in trivia()) {
        check_text(&format!("{before}{value}{after}"));
    }
}
