//! Snippets: code with places to fill in, each offered only where it is valid.

use std::collections::BTreeMap;
use std::ops::Range;

use lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat};

use super::docs;

/// Where a snippet is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SnippetPlace {
    /// A scenario without any text but comments.
    EmptyScenario,
    /// The groups of a scenario.
    Groups,
    /// The obstacles of a scenario.
    Obstacles,
    /// The paths of a scenario.
    Paths,
    /// The list of expectations of a scenario.
    Expectations,
    /// Where a statement of a function with `me` can begin.
    Statement,
}

impl SnippetPlace {
    /// Returns the place in brackets of a scenario, by the keys that lead to them.
    pub(super) fn in_brackets(keys: &[&str]) -> Option<Self> {
        match keys {
            ["groups"] => Some(Self::Groups),
            ["obstacles"] => Some(Self::Obstacles),
            ["paths"] => Some(Self::Paths),
            ["expect"] => Some(Self::Expectations),
            _ => None,
        }
    }

    fn language(self) -> &'static str {
        if self == Self::Statement { "rhai" } else { "ron" }
    }
}

/// A text with places to fill in, as the protocol writes them.
struct Snippet {
    /// What a user types to get it.
    name: &'static str,
    description: &'static str,
    place: SnippetPlace,
    text: &'static str,
}

const SNIPPETS: &[Snippet] = &[
    Snippet {
        name: "scenario",
        description: "A whole scenario",
        place: SnippetPlace::EmptyScenario,
        text: r#"(
    name: "${1:Flock}",
    ticks: ${2:600},
    world: (size: (${3:800}, ${4:600}), edge: ${5|Wrap,Clamp,Open|}),
    groups: {
        "${6:birds}": (
            behavior: "${7:flock}",
            count: ${8:50},
            spawn: Disc(center: (${9:400}, ${10:300}), radius: ${11:100}),
            body: (radius: ${12:4}, max_speed: ${13:80}, max_force: ${14:160}),
        ),
    },
)$0"#,
    },
    Snippet {
        name: "group",
        description: "A group of agents",
        place: SnippetPlace::Groups,
        // The name is that of the script, too.
        text: r#""${1:flock}": (
    behavior: "$1",
    count: ${2:10},
    spawn: Disc(center: (${3:100}, ${4:100}), radius: ${5:40}),
    body: (radius: ${6:3}, max_speed: ${7:60}, max_force: ${8:120}),
),$0"#,
    },
    Snippet {
        name: "circle",
        description: "A round obstacle",
        place: SnippetPlace::Obstacles,
        text: r#""${1:pillar}": Circle(center: (${2:400}, ${3:300}), radius: ${4:40}),$0"#,
    },
    Snippet {
        name: "wall",
        description: "A wall between two points",
        place: SnippetPlace::Obstacles,
        text: r#""${1:wall}": Segment(from: (${2:100}, ${3:200}), to: (${4:300}, ${5:200})),$0"#,
    },
    Snippet {
        name: "path",
        description: "A path",
        place: SnippetPlace::Paths,
        text: r#""${1:round}": (points: [(${2:100}, ${3:100}), (${4:700}, ${5:100}), (${6:700}, ${7:500})], radius: ${8:25}, mode: ${9|Loop,Once|}),$0"#,
    },
    Snippet {
        name: "reach",
        description: "Agents reach their goals",
        place: SnippetPlace::Expectations,
        text: r#"ReachAll(group: "${1:birds}"),$0"#,
    },
    Snippet {
        name: "overlap",
        description: "Nothing overlaps",
        place: SnippetPlace::Expectations,
        text: "NoOverlap(tolerance: ${1:0.1}),$0",
    },
    Snippet {
        name: "nearest",
        description: "The nearest agent of a group, or nothing",
        place: SnippetPlace::Statement,
        text: r#"let ${1:threat} = me.nearest("${2:hawks}", ${3:100});
if ${1:threat} == () {
    return vec(0, 0);
}$0"#,
    },
];

/// Returns the snippets that are valid at a place, for an editor that knows snippets.
pub(super) fn snippets(place: SnippetPlace) -> impl Iterator<Item = CompletionItem> {
    let all = SNIPPETS.iter().filter(move |snippet| snippet.place == place);
    all.map(move |snippet| CompletionItem {
        label: snippet.name.to_owned(),
        kind: Some(CompletionItemKind::SNIPPET),
        detail: Some(snippet.description.to_owned()),
        documentation: docs::documentation(format!(
            "```{}\n{}\n```",
            place.language(),
            plain_text(snippet.text)
        )),
        insert_text: Some(snippet.text.to_owned()),
        insert_text_format: Some(InsertTextFormat::SNIPPET),
        ..CompletionItem::default()
    })
}

/// Returns the text of a snippet with what it offers first at each place.
pub(super) fn plain_text(snippet: &str) -> String {
    first_filled(snippet).0
}

/// Returns the same, and the bytes of the first place to fill in; the end of the text if there is none.
pub(super) fn first_filled(snippet: &str) -> (String, Range<usize>) {
    let (mut text, mut rest) = (String::new(), snippet);
    let mut offered = BTreeMap::new();
    let mut first = None;
    while let Some((before, after)) = rest.split_once('$') {
        text.push_str(before);
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, value) = match after.strip_prefix('{').and_then(|inner| inner.split_once('}'))
        {
            Some((inner, after)) => {
                rest = after;
                let (number, value) = inner.split_at(digits(inner));
                let value = value.trim_start_matches([':', '|']).split([',', '|']).next();
                (number, value.unwrap_or_default())
            }
            None => {
                let (number, after) = after.split_at(digits(after));
                rest = after;
                (number, "")
            }
        };
        // A place without a value has that of the same place before it.
        let value = if value.is_empty() { *offered.get(number).unwrap_or(&"") } else { value };
        offered.insert(number, value);
        let place = text.len()..text.len() + value.len();
        text.push_str(value);
        first = first.or(Some(place));
    }
    text.push_str(rest);
    let end = text.len()..text.len();
    (text, first.unwrap_or(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_snippet_has_its_first_choices() {
        let text = "a: ${1:b}, c: ${2|Wrap,Open|} }$0";
        assert_eq!(first_filled(text), ("a: b, c: Wrap }".to_owned(), 3..4));
        assert_eq!(first_filled("\"${1:a}\": \"$1\"$0"), ("\"a\": \"a\"".to_owned(), 1..2));
        assert_eq!(first_filled("seek($0)"), ("seek()".to_owned(), 5..5));
        assert_eq!(first_filled("near"), ("near".to_owned(), 4..4));
        for snippet in SNIPPETS {
            assert!(!plain_text(snippet.text).contains('$'), "{}", snippet.name);
        }
    }
}
