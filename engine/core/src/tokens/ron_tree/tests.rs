use proptest::prelude::*;

use super::*;

const TEXT: &str = r##"#![enable(implicit_some)] ( // comment
    name: "A, (b)", world: (size: (100, -2.5e3), edge: Wrap),
    groups: {
        "birds": (spawn: Disc(center: (1, 2)), /* ( /* [ */ */ prey: ["a", r#"b"c"#]),
        "gr\u{fc}n": (r#type: -inf, bytes: b"\"", none: [], 'c': b'\'', some: Points([(3, 0x1f)])),
    },
)"##;

/// Returns a value as its path, its kind and itself.
fn written(node: RonNode<'_, '_>) -> String {
    let step = |node: RonNode<'_, '_>| {
        let place = |parent: RonNode<'_, '_>| {
            parent.children().position(|child| child.span() == node.span())
        };
        let place = || node.parent().and_then(place).map(|place| place.to_string());
        node.key().map(str::to_owned).or_else(place)
    };
    let mut path: Vec<String> = node.ancestors().filter_map(step).collect();
    path.reverse();
    format!("{}:{:?}:{}", path.join("."), node.kind(), node.text())
}

#[test]
fn values_know_what_is_around_them() {
    let tree = RonTree::new(TEXT);
    let all: Vec<String> = tree.nodes().map(written).collect();
    for known in [
        "name:String:\"A, (b)\"",
        "world.size.0:Number:100",
        "world.size.1:Number:-2.5e3",
        "world.edge:Word:Wrap",
        "groups.birds.spawn:Struct:Disc(center: (1, 2))",
        "groups.birds.spawn.center:Tuple:(1, 2)",
        "groups.birds.prey.1:String:r#\"b\"c\"#",
        "groups.gr\\u{fc}n.type:Number:-inf",
        "groups.gr\\u{fc}n.bytes:String:b\"\\\"\"",
        "groups.gr\\u{fc}n.none:List:[]",
        "groups.gr\\u{fc}n.c:Char:b'\\''",
        "groups.gr\\u{fc}n.some:Tuple:Points([(3, 0x1f)])",
    ] {
        assert!(all.iter().any(|one| one == known), "{known} is missing in {all:#?}");
    }
    let find =
        |path: &[&str]| path.iter().try_fold(tree.root()?, |node, name| node.content().get(name));
    let found = |path: &[&str]| find(path).map(RonNode::text);
    assert_eq!(found(&["groups", "grün", "some", "0", "1"]), Some("0x1f"));
    assert_eq!(found(&["groups", "birds", "prey", "01"]), None);
    assert_eq!(find(&["groups", "birds", "prey", "1"]).unwrap().word().unwrap().text, "b\"c");
    let disc = find(&["groups", "birds", "spawn"]).unwrap();
    let [opening, closing] = [disc.opening().unwrap(), disc.closing().unwrap()];
    assert_eq!((disc.name(), &TEXT[opening..=closing]), (Some("Disc"), "(center: (1, 2))"));
    assert_eq!(&TEXT[disc.after_comma().unwrap()..][..3], " /*");
    let birds = find(&["groups", "birds"]).unwrap();
    assert_eq!(&TEXT[birds.key_word().unwrap().span], "\"birds\"");
    assert!(birds.contains(disc) && !disc.contains(birds) && disc.depth() == 3);
}

#[test]
fn an_entry_has_the_comments_above_its_line_or_the_one_behind_it() {
    let text = r#"{
        // How far a bird
        //   sees others.
        "sight": 60.0, // not this
        "room": 18.0,   // the room // around it

        // Not directly above.

        "speed": 2,
        "x": 1, "y": 2, // of which one?
        "last": (1,
            2) // the end
    }"#;
    let tree = RonTree::new(text);
    let comment = |key: &str| tree.root().unwrap().get(key).unwrap().comment();
    assert_eq!(comment("sight").as_deref(), Some("How far a bird sees others."));
    assert_eq!(comment("room").as_deref(), Some("the room // around it"));
    assert_eq!(comment("last").as_deref(), Some("the end"));
    for key in ["speed", "x", "y"] {
        assert_eq!(comment(key), None, "{key}");
    }
}

#[test]
fn brackets_that_are_not_closed_end_with_those_around_them() {
    let tree = RonTree::new("(a: [1, {\"b\": (c: 2) ], d: ) } \"x");
    let all: Vec<String> = tree.nodes().map(written).collect();
    let known = [
        ":Struct:(a: [1, {\"b\": (c: 2) ], d: )",
        "a:List:[1, {\"b\": (c: 2) ]",
        "a.0:Number:1",
        "a.1:Map:{\"b\": (c: 2)",
        "a.1.b:Struct:(c: 2)",
        "a.1.b.c:Number:2",
        "d:Missing:",
        ":String:\"x",
    ];
    assert_eq!(all, known);
    assert_eq!(tree.nodes().filter(|node| node.closing().is_some()).count(), 3);
    assert_eq!(tree.root().unwrap().word().unwrap().text, "x");
}

#[test]
fn a_cursor_in_half_of_a_file_knows_where_it_is() {
    let at = |text: &str| {
        let offset = text.find('‹').unwrap();
        let text = text.replace('‹', "");
        let tree = RonTree::new(&text);
        let cursor = tree.cursor(offset)?;
        let mut path: Vec<&str> = cursor.position.key.into_iter().collect();
        let around = cursor.position.brackets.into_iter().flat_map(RonNode::ancestors);
        path.extend(around.filter_map(|node| node.name().or(node.key())));
        path.reverse();
        let word = text[cursor.word].to_owned();
        Some((path.join("."), word, cursor.is_string, cursor.position.has_value))
    };
    let found = |path: &str, word: &str, is_string, has_value| {
        Some((path.to_owned(), word.to_owned(), is_string, has_value))
    };
    assert_eq!(at("(wor‹"), found("", "wor", false, false));
    assert_eq!(at("(world: (size: (1, 2), ed‹"), found("world", "ed", false, false));
    assert_eq!(at("(world: (edge: ‹"), found("world.edge", "", false, false));
    assert_eq!(at("(world: (edge: Wrap ‹"), found("world.edge", "", false, true));
    assert_eq!(at("(world: (edge: Wrap,‹ )"), found("world", "", false, false));
    for rest in ["\"", ""] {
        let text = format!("(groups: {{ \"a\": (behavior: \"fl‹{rest}, spawn: x");
        assert_eq!(at(&text), found("groups.a.behavior", "fl", true, false));
    }
    assert_eq!(at("(groups: { \"a\": (spawn: Disc(‹"), found("groups.a.Disc", "", false, false));
    assert_eq!(at("(a: 1, // com‹ment"), None);
    assert_eq!(at("(a: \"x\"‹"), found("a", "", false, true));
    assert_eq!(at("‹"), found("", "", false, false));
}

proptest! {
    #[test]
    fn any_text_has_a_tree_that_loses_nothing(
        text in "([(){}\\[\\]\"'`$#r/*\\\\\n.0e+-, üa:]|a: |b\\(|\"c\"|/\\*|// |\\), ){0,40}",
    ) {
        let tree = RonTree::new(&text);
        // Only white space is between tokens.
        let mut end = 0;
        for token in tree.pieces.iter().map(Piece::span) {
            prop_assert!(token.start < token.end && text[end..token.start].trim().is_empty());
            end = token.end;
        }
        prop_assert!(text[end..].trim().is_empty());
        // Each token is at most one word, key or bracket, and values are inside the brackets around them, one behind the other.
        let mut used = std::collections::BTreeSet::new();
        let mut before: Vec<usize> = Vec::new();
        for node in tree.nodes() {
            let Range { start, end } = node.span();
            for RonWord { span, .. } in node.key_word().into_iter().chain(node.word()) {
                prop_assert!(tree.pieces.iter().any(|piece| piece.span() == span) && used.insert(span.start));
            }
            for bracket in node.opening().into_iter().chain(node.closing()) {
                prop_assert!((start..end).contains(&bracket) && used.insert(bracket));
            }
            prop_assert!(node.key_word().is_none_or(|key| key.span.end <= start));
            before.truncate(node.depth() + 1);
            if let Some(before) = before.get(node.depth()) {
                prop_assert!(*before <= start);
            }
            before.resize(node.depth() + 1, 0);
            before[node.depth()] = end;
            if let Some(parent) = node.parent() {
                prop_assert_eq!(parent.depth() + 1, node.depth());
                prop_assert!(parent.contains(node) && parent.children().any(|one| one.span() == node.span()));
                prop_assert!(parent.span().start < start && end <= parent.span().end);
                prop_assert!(parent.closing().is_none_or(|closing| end <= closing));
            }
        }
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            let around = tree.cursor(at).and_then(|cursor| cursor.position.brackets);
            prop_assert!(around.is_none_or(|node| node.span().start < at));
        }
    }
}
