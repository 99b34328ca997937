//! What can be written where a person types, and what is known about the names there, for an editor that is a part of the program: without
//! the messages of the protocol.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use flockwork_engine::diag::Place;
use flockwork_engine::load::real_path;
use flockwork_engine::script::reference;
use flockwork_engine::tokens::line_start;
use lsp_types::{
    CompletionItem, CompletionItemKind, Documentation, InsertTextFormat,
    TextDocumentContentChangeEvent, TextDocumentIdentifier, TextDocumentPositionParams,
};

use super::completion::{add_brackets, is_function, sort_text, suggestions};
use super::hover::{hover_at, known_entries, signature_at};
use super::name_help::NameHelp;
use super::navigate::{definition_places, places_of};
use super::project::{Project, is_script, name_of};
use super::rename::{Renaming, renaming};
use super::rhai_text::Tokens;
use super::snippets::first_filled;
use super::uri::uri;

/// Knows the files of a project, and what can be written in them.
#[derive(Default)]
pub struct Typing {
    project: Project,
    /// The contents of the files as the person sees them.
    open: BTreeMap<PathBuf, String>,
    version: i32,
}

/// What can be written at a place of a text, and the call that it is in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypingHelp {
    /// The bytes that a suggestion replaces.
    pub replaced: Range<usize>,
    /// The likeliest first.
    pub suggestions: Vec<Suggestion>,
    /// The word of the reference at the place, if there is one: which one it is depends on the type of the value before its dot.
    pub word: Option<WordHelp>,
    /// The signature of the call around the place, if there is one.
    pub call: Option<CallHelp>,
}

/// What the reference says of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordHelp {
    /// How it is written, as in the reference.
    pub signature: String,
    /// The first line of what it means.
    pub summary: String,
}

/// Something that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What it is called.
    pub name: String,
    /// What is written.
    pub text: String,
    /// What is selected then, in bytes from the beginning of the text; nothing where the cursor is only put.
    pub selected: Range<usize>,
    /// Whether something can be completed there.
    pub goes_on: bool,
    /// What it means, in a line; empty if nothing is known.
    pub about: String,
}

/// The signature of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallHelp {
    /// The name with the parameters.
    pub signature: String,
    /// What the argument at the place means; empty if nothing is known.
    pub argument: String,
}

/// A place where a name is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameUse {
    /// The file.
    pub path: PathBuf,
    /// The offset in it, in bytes.
    pub at: usize,
    /// The number of its line, from 1.
    pub line: usize,
    /// The line.
    pub words: String,
    /// Whether the name is declared there.
    pub is_declared: bool,
}

/// A name that gets another one, and what changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedName {
    /// The name as it was.
    pub old: String,
    /// The files by their paths.
    pub files: BTreeMap<PathBuf, ChangedFile>,
}

/// What changes in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its text as it was.
    pub text: String,
    /// In how many places the name is written there; none in a golden.
    pub places: usize,
    /// The parts that change, in their order, and what is written there.
    pub changes: Vec<(Range<usize>, String)>,
}

impl Typing {
    /// Returns what can be written at an offset of a file. `files` has the paths and contents of files as the person sees them, among them
    /// this one; the others are those on disk.
    pub fn help(&mut self, path: &Path, offset: usize, files: &[(PathBuf, String)]) -> TypingHelp {
        self.open(files);
        self.project.has_snippets = true;
        let path = real_path(path);
        self.project.read_uses();
        let Ok(source) = self.project.read(&path) else { return TypingHelp::default() };
        let offset = source.text.floor_char_boundary(offset);
        let mut help = TypingHelp { replaced: offset..offset, ..TypingHelp::default() };
        if let Some((word, mut items)) = suggestions(&self.project, &path, &source, offset) {
            let typed = source.text[word.start..offset].trim_start_matches('"').to_lowercase();
            let is_called = source.text[word.end..].starts_with('(');
            items.retain(|item| rank(item, &typed).is_some());
            items.sort_by_cached_key(|item| {
                let order = item.sort_text.clone().unwrap_or_else(|| sort_text(item));
                let rank = rank(item, &typed);
                // Only what has the typed letters in its name is meant more than what cannot be called.
                (rank == Some(3), is_called && !is_function(item), rank, order)
            });
            let line = line_start(&source.text, word.start);
            let indent: String =
                source.text[line..word.start].chars().take_while(|c| *c == ' ').collect();
            let all = items.into_iter().map(|item| suggestion(item, is_called, &indent));
            help.suggestions = all.collect();
            help.replaced = word;
        }
        help.word = self.word(&path, &source.text, offset);
        help.call = self.call(&path, offset);
        help
    }

    /// Returns what is known about the name at an offset of a file. `files` is as in [`help`](Self::help).
    pub fn about(
        &mut self,
        path: &Path,
        offset: usize,
        files: &[(PathBuf, String)],
    ) -> Option<NameHelp> {
        self.open(files);
        let path = real_path(path);
        self.project.read_uses();
        let source = self.project.read(&path).ok()?;
        let offset = source.text.floor_char_boundary(offset);
        let (span, text) = hover_at(&self.project, &path, &source, offset)?;
        Some(NameHelp::new(span, &text))
    }

    /// Returns the places where the name at an offset of a file is declared: the paths of files, and offsets in them. `files` is as in
    /// [`help`](Self::help).
    pub fn definitions(
        &mut self,
        path: &Path,
        offset: usize,
        files: &[(PathBuf, String)],
    ) -> Vec<(PathBuf, usize)> {
        self.open(files);
        let path = real_path(path);
        self.project.read_uses();
        let Some(at) = self.position(&path, offset) else { return Vec::new() };
        let places = definition_places(&self.project, &at).into_iter();
        places.map(|place| (self.project.path_of(&place.source), place.span.start)).collect()
    }

    /// Returns the places where the name at an offset of a file is written, by their files: those of this file first. `files` is as in
    /// [`help`](Self::help).
    pub fn uses(
        &mut self,
        path: &Path,
        offset: usize,
        files: &[(PathBuf, String)],
    ) -> Vec<NameUse> {
        self.open(files);
        let path = real_path(path);
        self.project.check_all();
        let Some(at) = self.position(&path, offset) else { return Vec::new() };
        let places = places_of(&self.project, &at).into_iter().flatten();
        let name_use = |(place, is_declared): (Place, bool)| {
            let Place { source, span } = place;
            let (line, _) = source.line_column(span.start);
            let words = source.text.lines().nth(line - 1).unwrap_or_default().trim().to_owned();
            let path = self.project.path_of(&source);
            NameUse { path, at: span.start, line, words, is_declared }
        };
        let mut all: Vec<NameUse> = places.map(name_use).collect();
        all.sort_by(|one, other| {
            let key = |one: &NameUse| (one.path != path, one.path.clone(), one.at);
            key(one).cmp(&key(other))
        });
        all.dedup_by(|one, other| (&one.path, one.at) == (&other.path, other.at));
        all
    }

    /// Renames the name at an offset of a file. Nothing is written: the result says what changes. `files` is as in [`help`](Self::help).
    ///
    /// # Errors
    ///
    /// If there is no name that can be renamed, or if the change would cause an error or another run.
    pub fn rename(
        &mut self,
        path: &Path,
        offset: usize,
        new: &str,
        files: &[(PathBuf, String)],
    ) -> Result<RenamedName, String> {
        self.open(files);
        let path = real_path(path);
        let at = self.position(&path, offset).ok_or("this file cannot be read")?;
        let Renaming { old, places, changes, moved } =
            renaming(&mut self.project, at, new.to_owned())?;
        if let Some((file, _)) = moved {
            let file = name_of(&file);
            return Err(format!(
                "`{old}` is the name of the file {file}: rename that, and then the name here"
            ));
        }
        let mut files: BTreeMap<PathBuf, ChangedFile> = BTreeMap::new();
        for (Place { source, span }, words) in changes {
            let file = files.entry(self.project.path_of(&source)).or_insert_with(|| ChangedFile {
                text: source.text.clone(),
                places: 0,
                changes: Vec::new(),
            });
            file.changes.push((span, words));
        }
        for place in &places {
            if let Some(file) = files.get_mut(&self.project.path_of(&place.source)) {
                file.places += 1;
            }
        }
        for file in files.values_mut() {
            file.changes.sort_by_key(|(span, _)| span.start);
        }
        Ok(RenamedName { old, files })
    }

    /// Returns an offset of a file as the protocol has it.
    fn position(&self, path: &Path, offset: usize) -> Option<TextDocumentPositionParams> {
        let source = self.project.read(path).ok()?;
        let offset = source.text.floor_char_boundary(offset);
        let position = self.project.range(&Place { source, span: offset..offset }).start;
        let text_document = TextDocumentIdentifier { uri: uri(path)? };
        Some(TextDocumentPositionParams { text_document, position })
    }

    /// Opens the files that the person sees, and closes the others.
    fn open(&mut self, files: &[(PathBuf, String)]) {
        let contents: BTreeMap<PathBuf, String> =
            files.iter().map(|(path, text)| (real_path(path), text.clone())).collect();
        for path in self.open.keys().filter(|path| !contents.contains_key(*path)) {
            if let Some(uri) = uri(path) {
                self.project.close(&uri);
            }
        }
        for (path, text) in &contents {
            let Some(uri) = uri(path) else { continue };
            self.version = self.version.saturating_add(1);
            match self.open.get(path) {
                Some(known) if known == text => {}
                Some(_) => {
                    let text = text.clone();
                    let all =
                        TextDocumentContentChangeEvent { range: None, range_length: None, text };
                    self.project.change(&uri, self.version, vec![all]);
                }
                None => self.project.open(&uri, self.version, text.clone()),
            }
        }
        self.open = contents;
    }

    /// Returns the word of the reference at a place, as a hover there explains it.
    fn word(&self, path: &Path, text: &str, offset: usize) -> Option<WordHelp> {
        let tokens = Tokens::new(text);
        let index = tokens.at(offset).filter(|_| is_script(path) && !tokens.is_comment(offset))?;
        let entry = known_entries(&self.project, path, &tokens, index).into_iter().next()?;
        let summary = entry.doc.first().and_then(|doc| doc.lines().next()).unwrap_or_default();
        Some(WordHelp { summary: summary.to_owned(), signature: entry.signature })
    }

    /// Returns the signature of the call around a place.
    fn call(&self, path: &Path, offset: usize) -> Option<CallHelp> {
        let help = signature_at(&self.project, path, offset)?;
        let active = help.active_signature.unwrap_or_default() as usize;
        let signature = help.signatures.into_iter().nth(active)?;
        let number = help.active_parameter.unwrap_or_default() as usize;
        let argument = signature.parameters.unwrap_or_default().into_iter().nth(number);
        let words = argument.and_then(|argument| {
            let lsp_types::ParameterLabel::Simple(name) = argument.label else { return None };
            let name = name.split(" = ").next().unwrap_or_default().to_owned();
            Some(match argument.documentation {
                Some(doc) => format!("{name}: {}", words(&doc)),
                None => name,
            })
        });
        Some(CallHelp { signature: signature.label, argument: words.unwrap_or_default() })
    }
}

/// Returns how well something suits what is typed: it begins so, a word in it does, it has that somewhere, or what it does is told with
/// such a word: `sto` and `stop` find `arrive`. `None` if it does not.
fn rank(item: &CompletionItem, typed: &str) -> Option<u8> {
    let name = item.label.trim_matches('"').to_lowercase();
    if name.starts_with(typed) {
        return Some(0);
    }
    if name.split('_').any(|word| word.starts_with(typed)) {
        return Some(1);
    }
    if typed.len() > 2 && name.contains(typed) {
        return Some(2);
    }
    // Shorter words are the beginnings of too many others.
    let doc = item.documentation.as_ref().filter(|_| typed.len() > 2)?;
    let summary = words(doc).to_lowercase();
    let mut told = summary.split(|letter: char| !letter.is_alphanumeric());
    let is_method = item.kind == Some(CompletionItemKind::METHOD);
    (is_method && told.any(|word| word.starts_with(typed))).then_some(3)
}

/// Returns an item with what is written, with `indent` in further lines. `is_called` tells that brackets follow.
fn suggestion(mut item: CompletionItem, is_called: bool, indent: &str) -> Suggestion {
    if !is_called && item.insert_text.is_none() {
        add_brackets(&mut item, &reference());
    }
    let is_snippet = item.insert_text_format == Some(InsertTextFormat::SNIPPET);
    let written = item.insert_text.unwrap_or_else(|| item.label.clone());
    let written = written.replace('\n', &format!("\n{indent}"));
    let (text, selected) = if is_snippet {
        first_filled(&written)
    } else {
        (written.clone(), written.len()..written.len())
    };
    let beside = item.detail.unwrap_or_default();
    let about = item.documentation.as_ref().map(words).filter(|about| !about.is_empty());
    Suggestion {
        name: item.label,
        text,
        selected,
        goes_on: is_snippet
            && written.split('$').nth(1).is_some_and(|first| first.starts_with('1')),
        about: about.unwrap_or(beside),
    }
}

/// Returns the first line of a documentation that is no code.
fn words(doc: &Documentation) -> String {
    let all = match doc {
        Documentation::String(text) => text,
        Documentation::MarkupContent(markup) => &markup.value,
    };
    let mut is_code = false;
    let mut lines = all.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence && !line.trim().is_empty()
    });
    lines.next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENARIO: &str = "(world: (size: (100, 100)), groups: {\"birds\": (behavior: \"bird\",
        params: { \"room\": 20.0 }, |)})";

    const READER: &str = "fn steer(me) { me.vel * me.params.room * me.params.far }";

    /// Returns the help at the bar in a script, or in the scenario if the text has groups.
    fn help(text: &str) -> TypingHelp {
        let folder = Path::new("/typing-has-no-such-folder");
        let is_scenario = text.contains("groups");
        let (scenario, script) = (folder.join("scenarios/a.ron"), folder.join("scripts/bird.rhai"));
        let offset = text.find('|').unwrap();
        let text = text.replacen('|', "", 1);
        let (path, files) = if is_scenario {
            (&scenario, [(scenario.clone(), text), (script, READER.to_owned())])
        } else {
            (&script, [(scenario, SCENARIO.replace('|', "")), (script.clone(), text)])
        };
        Typing::default().help(path, offset, &files)
    }

    fn names(text: &str) -> Vec<String> {
        help(text).suggestions.into_iter().map(|one| one.name).collect()
    }

    #[test]
    fn names_are_found_by_their_beginning_then_by_their_words() {
        let all = names("fn steer(me) { me.fol| }");
        assert_eq!(all[0][..3], *"fol", "{all:?}");
        let all = names("fn steer(me) { me.to| }");
        assert!(all.contains(&"go_to".to_owned()) && all[0].starts_with("to"), "{all:?}");
        assert!(names("fn steer(me) { me.| }").len() > 40);
        assert_eq!(names("fn steer(me) { me.params.r| }"), ["room"]);
        // What it does is told with this word.
        assert!(names("fn steer(me) { me.stop| }").contains(&"arrive".to_owned()));
        // Caught: of the word, all letters had to be there.
        assert!(names("fn steer(me) { me.sto| }").contains(&"arrive".to_owned()));
        assert!(!names("fn steer(me) { me.st| }").contains(&"arrive".to_owned()));
        assert!(names("fn steer(me) { stop| }").is_empty());
        assert!(names("fn steer(me) { // me.fol| }").is_empty());
        assert!(names(&SCENARIO.replace('|', "bo|")).contains(&"body".to_owned()));
    }

    /// Asserts that names are offered in this order, whatever is between them.
    #[track_caller]
    fn assert_order(text: &str, expected: &[&str]) {
        let all = names(text);
        let places: Vec<Option<usize>> =
            expected.iter().map(|name| all.iter().position(|one| one == name)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} in {all:?}");
    }

    /// Caught: where a name before brackets was written again, properties and variables were offered first.
    #[test]
    fn functions_come_first_before_a_bracket() {
        let own = "fn nearby(me) { me.pos }\n";
        assert_order(&format!("{own}fn steer(me) {{ let near = 1; nea| }}"), &["near", "nearby"]);
        assert_order(
            &format!("{own}fn steer(me) {{ let near = 1; nea|(me) }}"),
            &["nearby", "near"],
        );
        assert_order("fn steer(me) { let a = me.s|; a }", &["state", "seek"]);
        assert_order("fn steer(me) { let a = me.s|(vec(0, 0)); a }", &["seek", "state"]);
    }

    /// Caught: members of another type came before those that an argument can be.
    #[test]
    fn members_that_an_argument_can_be_come_first() {
        let all = |argument: &str| format!("fn steer(me) {{ {argument} }}");
        assert_order(&all("me.neighbors(4).|"), &["center", "of", "ahead"]);
        assert_order(&all("me.separation(me.neighbors(4).|"), &["of", "ahead", "center"]);
        assert_order(&all("me.separation(me.neighbors(4).|)"), &["ahead", "center", "count"]);
        assert_order(&all("me.seek(me.neighbors(4).|)"), &["center", "count", "ahead"]);
        assert_order(&all("me.seek(me.|)"), &["pos", "params"]);
        assert_order(&all("sqrt(me.|)"), &["max_speed", "pos"]);
        assert_eq!(names(&all("sqrt(me.params.|)")), ["room"]);
    }

    /// Caught: a param that the group has was offered once more.
    #[test]
    fn params_that_are_set_are_not_offered_again() {
        let scenario = SCENARIO.replace('|', "");
        assert_eq!(names(&scenario.replace("\"room\": 20.0", "|")), ["far", "room"]);
        assert_eq!(names(&scenario.replace("20.0", "20.0, |")), ["far"]);
        assert_eq!(names(&scenario.replace("20.0", "20.0, \"|")), ["far"]);
    }

    /// Caught: behind a list, the function of the agent with the same name was explained.
    #[test]
    fn the_word_at_a_place_is_that_of_the_type_before_the_dot() {
        let word = |code: &str| {
            let script = format!("fn steer(me) {{ let near = me.neighbors(4); {code} }}");
            help(&script).word.map(|word| word.signature)
        };
        for (code, signature) in [
            ("me.near|est(3)", "me.nearest(radius)"),
            ("me.near|est(\"fox\", 3)", "me.nearest(group, radius)"),
            ("near.near|est(3)", "near.nearest(count)"),
            ("near.|nearest", "near.nearest"),
            ("near.nearest|.pos", "near.nearest"),
            ("me.see|k(vec(1, 2))", "me.seek(target, speed = me.max_speed)"),
            ("me.neigh|bors()", "me.neighbors()"),
        ] {
            assert_eq!(word(code).as_deref(), Some(signature), "{code}");
        }
        for nothing in ["// me.se|ek", "me.xyz|", "1 + |", "me.see|m"] {
            assert_eq!(word(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn a_function_is_written_with_its_brackets_and_the_cursor_inside() {
        let written = |text: &str, name: &str| {
            let all = help(text).suggestions;
            let one = all.into_iter().find(|one| one.name == name).unwrap();
            assert!(!one.about.is_empty());
            (one.text, one.selected)
        };
        assert_eq!(written("fn steer(me) { me.see| }", "seek"), ("seek()".to_owned(), 5..5));
        assert_eq!(written("fn steer(me) { me.see|(x) }", "seek"), ("seek".to_owned(), 4..4));
        assert_eq!(written("fn steer(me) { me.spe| }", "speed"), ("speed".to_owned(), 5..5));
        assert_eq!(help("fn steer(me) { me.see| }").replaced, 18..21);
        let field = |text: &str, name| written(&SCENARIO.replace('|', text), name);
        assert_eq!(field("bo|", "body"), ("body: ()".to_owned(), 7..7));
        assert_eq!(field("\n  cou|\n", "count"), ("count: 1,".to_owned(), 7..8));
    }

    #[test]
    fn the_call_around_a_place_is_explained() {
        let call = help("fn steer(me) { me.seek(vec(0, 0), |) }").call.unwrap();
        assert_eq!(call.signature, "me.seek(target, speed = me.max_speed) -> force");
        assert!(call.argument.starts_with("speed: "), "{}", call.argument);
        assert_eq!(help("fn steer(me) { | }").call, None);
    }

    /// Asks something about the place at the bar of a script.
    fn ask<T>(text: &str, ask: impl Fn(&mut Typing, &Path, usize, &[(PathBuf, String)]) -> T) -> T {
        let folder = Path::new("/typing-has-no-such-folder");
        let (scenario, script) = (folder.join("scenarios/a.ron"), folder.join("scripts/bird.rhai"));
        let (offset, text) = (text.find('|').unwrap(), text.replacen('|', "", 1));
        let files = [(scenario, SCENARIO.replace('|', "")), (script.clone(), text)];
        ask(&mut Typing::default(), &script, offset, &files)
    }

    #[test]
    fn a_name_is_explained_in_a_few_words() {
        let about = |text: &str| ask(text, Typing::about);
        let seek = about("fn steer(me) { me.se|ek(vec(0, 0)) }").unwrap();
        assert_eq!(seek.span, 18..22);
        assert_eq!(seek.signatures, ["me.seek(target, speed = me.max_speed) -> force"]);
        assert!(seek.paragraphs[0].ends_with('.'), "{seek:?}");
        let room = about("fn steer(me) { me.params.ro|om * me.vel }").unwrap();
        assert!(room.paragraphs[0].starts_with("room is a param"), "{room:?}");
        assert!(room.paragraphs.iter().any(|one| one.starts_with("- 20.0 in a.ron")), "{room:?}");
        let own =
            about("/// Goes away.\nfn away(me, x) { x }\nfn steer(me) { aw|ay(me, 1) }").unwrap();
        assert_eq!(own.signatures, ["fn away(me, x)"]);
        assert_eq!(about("fn steer(me) { // see|k\n }"), None);
    }

    #[test]
    fn a_name_leads_to_where_it_is_declared() {
        let definitions = |text: &str| ask(text, Typing::definitions);
        let names = |text: &str| -> Vec<(String, usize)> {
            let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
            definitions(text).into_iter().map(|(path, at)| (name(&path), at)).collect()
        };
        let at = SCENARIO.find("\"room\"").unwrap() + 1;
        assert_eq!(names("fn steer(me) { me.params.ro|om * me.vel }"), [("a.ron".to_owned(), at)]);
        let own = names("fn away(me) { me.vel }\nfn steer(me) { let a = 1; aw|ay(me) }");
        assert_eq!(own, [("bird.rhai".to_owned(), 3)]);
        let variable = names("fn steer(me) { let speed = 1.0; me.vel * sp|eed }");
        assert_eq!(variable, [("bird.rhai".to_owned(), 19)]);
        assert!(names("fn steer(me) { me.se|ek(vec(0, 0)) }").is_empty(), "the reference has it");
    }

    /// What was typed in a file counted after it was dropped.
    #[test]
    fn a_file_that_is_not_given_any_more_is_that_on_disk() {
        let folder = Path::new("/typing-has-no-such-folder");
        let (scenario, script) = (folder.join("scenarios/a.ron"), folder.join("scripts/bird.rhai"));
        let text = "fn steer(me) { me.params. }".to_owned();
        let offset = text.find(". }").unwrap() + 1;
        let mut typing = Typing::default();
        let mut names = |files: &[(PathBuf, String)]| -> Vec<String> {
            let all = typing.help(&script, offset, files).suggestions;
            all.into_iter().map(|one| one.name).collect()
        };
        let typed = (scenario, SCENARIO.replace('|', ""));
        let of_script = (script.clone(), text);
        assert_eq!(names(&[of_script.clone(), typed.clone()]), ["room"]);
        // There is none on disk.
        assert_eq!(names(std::slice::from_ref(&of_script)), [""; 0]);
        assert_eq!(names(&[of_script, typed]), ["room"]);
    }
}
