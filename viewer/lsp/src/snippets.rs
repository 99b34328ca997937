//! Snippets: code with places to fill in, each offered only where it is valid.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use flockwork_engine::tokens::ron_tree::RonTree;
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
    /// Numbers such as `100x` are those of a world of `USUAL_SIZE`: a coordinate `x` or `y`, or a distance `d`.
    text: &'static str,
}

/// The size of the world for which snippets are written.
const USUAL_SIZE: [f64; 2] = [800.0, 600.0];

/// The rectangle of a world: where it begins, and its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WorldRect {
    min: [f64; 2],
    size: [f64; 2],
}

impl WorldRect {
    /// Reads the rectangle of a scenario's world. `None` if it has none yet.
    pub(super) fn read(tree: &RonTree<'_>) -> Option<Self> {
        let world = tree.root()?.get("world")?;
        let pair = |key: &str| -> Option<[f64; 2]> {
            let numbers = world.get(key)?.children().map(|one| one.text().trim().parse().ok());
            <[f64; 2]>::try_from(numbers.collect::<Option<Vec<f64>>>()?).ok()
        };
        let size = pair("size").filter(|size| size.iter().all(|side| *side > 0.0))?;
        Some(Self { min: pair("min").unwrap_or_default(), size })
    }
}

/// Returns the text of a snippet with the numbers of a world.
pub(super) fn fitted(snippet: &str, world: Option<WorldRect>) -> String {
    let WorldRect { min, size } = world.unwrap_or(WorldRect { min: [0.0; 2], size: USUAL_SIZE });
    let [width, height] = [0, 1].map(|axis| size[axis] / USUAL_SIZE[axis]);
    let mut parts = snippet.split('}');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let value = text.rfind(':').map_or(text.len(), |colon| colon + 1);
        let unit = text.chars().last().unwrap_or_default();
        let number = text[value..].strip_suffix(unit).and_then(|digits| digits.parse::<f64>().ok());
        let scaled = number.and_then(|number| match unit {
            'x' => Some(min[0] + rounded(number * width)),
            'y' => Some(min[1] + rounded(number * height)),
            'd' => Some(rounded(number * if width < height { width } else { height })),
            _ => None,
        });
        if let Some(scaled) = scaled {
            text.truncate(value);
            text += &scaled.to_string();
        }
        text.push('}');
        text += part;
    }
    text
}

/// Returns a positive number with two digits that count.
fn rounded(number: f64) -> f64 {
    format!("{number:.1e}").parse().unwrap_or(number)
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
        // The script has the name of the group until it gets another one.
        text: r#""${1:flock}": (
    behavior: "${2:$1}",
    count: ${3:10},
    spawn: Disc(center: (${4:100x}, ${5:100y}), radius: ${6:40d}),
    body: (radius: ${7:3d}, max_speed: ${8:60d}, max_force: ${9:120d}),
),$0"#,
    },
    Snippet {
        name: "circle",
        description: "A round obstacle",
        place: SnippetPlace::Obstacles,
        text: r#""${1:pillar}": Circle(center: (${2:400x}, ${3:300y}), radius: ${4:40d}),$0"#,
    },
    Snippet {
        name: "wall",
        description: "A wall between two points",
        place: SnippetPlace::Obstacles,
        text: r#""${1:wall}": Segment(from: (${2:100x}, ${3:200y}), to: (${4:300x}, ${5:200y})),$0"#,
    },
    Snippet {
        name: "path",
        description: "A path",
        place: SnippetPlace::Paths,
        text: r#""${1:round}": (points: [(${2:100x}, ${3:100y}), (${4:700x}, ${5:100y}), (${6:700x}, ${7:500y})], radius: ${8:25d}, mode: ${9|Loop,Once|}),$0"#,
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

/// The script of a new group, and the params that the group has to declare for it.
pub(super) struct NewBehavior {
    pub(super) name: String,
    /// Each param with its value, as it is written.
    pub(super) params: Vec<(String, String)>,
}

impl NewBehavior {
    /// Returns the text of the snippet of a group with this script and the params, or of its value.
    fn written_in(&self, group: &str) -> String {
        let name = &self.name;
        let text = group.replace("${1:flock}", &format!("${{1:{name}}}"));
        let text = text.replace("${2:$1}", &format!("${{2:{name}}}"));
        let params: Vec<String> =
            self.params.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
        match (params.is_empty(), text.rsplit_once("\n)")) {
            (false, Some((fields, end))) => {
                format!("{fields}\n    params: {{ {} }},\n){end}", params.join(", "))
            }
            _ => text,
        }
    }
}

/// Returns the text of a snippet with another name, such as `flock_2`, if the name of the entry that it writes is taken.
fn with_free_name(snippet: &str, taken: &BTreeSet<&str>) -> String {
    const START: &str = "\"${1:";
    let split = snippet.strip_prefix(START).and_then(|rest| rest.split_once('}'));
    let Some((name, rest)) = split.filter(|(name, _)| taken.contains(name)) else {
        return snippet.to_owned();
    };
    let mut others = (2..).map(|number: u32| format!("{name}_{number}"));
    let free = others.find(|other| !taken.contains(&**other)).unwrap_or_default();
    format!("{START}{free}}}{rest}")
}

/// Returns the snippets that are valid at a place, for an editor that knows snippets. Their numbers are those of a world, if it is known,
/// and their names differ from those that are taken there. A group has a script of the project, if there is one.
pub(super) fn snippets(
    place: SnippetPlace,
    world: Option<WorldRect>,
    taken: &BTreeSet<&str>,
    behavior: Option<&NewBehavior>,
) -> impl Iterator<Item = CompletionItem> {
    let all = SNIPPETS.iter().filter(move |snippet| snippet.place == place);
    all.map(move |snippet| {
        let text = fitted(snippet.text, world);
        let text = behavior.map_or(text.clone(), |behavior| behavior.written_in(&text));
        let text = with_free_name(&text, taken);
        CompletionItem {
            label: snippet.name.to_owned(),
            kind: Some(CompletionItemKind::SNIPPET),
            detail: Some(snippet.description.to_owned()),
            documentation: docs::documentation(format!(
                "```{}\n{}\n```",
                place.language(),
                plain_text(&text)
            )),
            insert_text: Some(text),
            insert_text_format: Some(InsertTextFormat::SNIPPET),
            ..CompletionItem::default()
        }
    })
}

/// Returns the value of a whole entry of a place, in round brackets, and what it is called. `behavior` is for a group. `None` if
/// entries there are no fields in brackets.
pub(super) fn whole_value(place: SnippetPlace, behavior: &NewBehavior) -> Option<(String, String)> {
    let mut all = SNIPPETS.iter().filter(|snippet| snippet.place == place);
    all.find_map(|snippet| {
        let (_, value) = snippet.text.strip_prefix("\"${1:")?.split_once("\": ")?;
        let value = value.strip_suffix(",$0").filter(|value| value.starts_with('('))?;
        Some((format!("a whole {}", snippet.name), behavior.written_in(value)))
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
                let value = match value.strip_prefix('|') {
                    Some(choices) => choices.split([',', '|']).next().unwrap_or_default(),
                    None => value.trim_start_matches(':'),
                };
                (number, value)
            }
            None => {
                let (number, after) = after.split_at(digits(after));
                rest = after;
                (number, "")
            }
        };
        // A place without a value has that of the same place before it, or names the place that has it.
        let other = if value.is_empty() { Some(number) } else { value.strip_prefix('$') };
        let value = other.map_or(value, |other| *offered.get(other).unwrap_or(&""));
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
        assert_eq!(first_filled("\"${1:a}\": \"${2:$1}\"$0"), ("\"a\": \"a\"".to_owned(), 1..2));
        assert_eq!(first_filled("seek($0)"), ("seek()".to_owned(), 5..5));
        assert_eq!(first_filled("near"), ("near".to_owned(), 4..4));
        assert_eq!(first_filled("a ${0:vec(1, 0)} b"), ("a vec(1, 0) b".to_owned(), 2..11));
        for snippet in SNIPPETS {
            assert!(!plain_text(snippet.text).contains('$'), "{}", snippet.name);
        }
    }

    #[test]
    fn a_name_that_is_taken_is_not_written_again() {
        let named = |taken: &[&str]| {
            let taken = taken.iter().copied().collect();
            plain_text(&with_free_name("\"${1:flock}\": (behavior: \"$1\"),$0", &taken))
        };
        assert_eq!(named(&["birds"]), "\"flock\": (behavior: \"flock\"),");
        assert_eq!(named(&["flock"]), "\"flock_2\": (behavior: \"flock_2\"),");
        assert_eq!(named(&["flock", "flock_2"]), "\"flock_3\": (behavior: \"flock_3\"),");
        let group = SNIPPETS.iter().find(|snippet| snippet.name == "group").unwrap();
        let written = plain_text(&with_free_name(group.text, &["flock"].into()));
        assert!(written.contains("\"flock_2\": (") && written.contains("behavior: \"flock_2\""));
        // A name of another entry is meant.
        let other = "ReachAll(group: \"${1:birds}\"),$0";
        assert_eq!(with_free_name(other, &["birds"].into()), other);
    }

    #[test]
    fn numbers_are_those_of_the_world() {
        let text = "${1:a}: (${2:400x}, ${3:300y}), ${4:40d} ${5:0.1} ${6|Loop,Once|} $1";
        let filled = |world: &str| {
            let tree = format!("(world: ({world}))");
            plain_text(&fitted(text, WorldRect::read(&RonTree::new(&tree))))
        };
        assert_eq!(filled("size: (800, 600)"), "a: (400, 300), 40 0.1 Loop a");
        assert_eq!(filled("size: (40.0, 60)"), "a: (20, 30), 2 0.1 Loop a");
        assert_eq!(filled("min: (-10, -20), size: (20, 20)"), "a: (0, -10), 1 0.1 Loop a");
        for unfinished in ["size: (4, )", "size: (0, 9)", "", "size: (4, 5, 6)"] {
            assert_eq!(filled(unfinished), "a: (400, 300), 40 0.1 Loop a", "{unfinished}");
        }
    }
}
