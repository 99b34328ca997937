//! All that the parser finds wrong in a script. Rhai's parser gives up at the first mistake: the statement with it, or the function
//! if it is not clear where the statement ends, is replaced by blanks, and the rest is parsed again.

use std::ops::Range;
use std::sync::Arc;

use rhai::{AST, ParseError, ParseErrorType};

use super::missing_value::{
    UnconnectedValues, unconnected_values, unfinished_before_block, unfinished_condition,
};
use super::parse_error::parse_error;
use super::sources::Sources;
use super::statements::{declarations, function_at, statement_at};
use crate::diag::{Diagnostic, Fix, Place, Remedy, Source, brackets};
use crate::tokens::{CodeTokens, Language, Token, code, line_start};

/// Maximum number of mistakes that are looked for.
const MAX_MISTAKES: usize = 10;
/// Maximum number of brackets around a mistake whose statements are replaced: looking at more takes long.
const MAX_NESTED: usize = 16;
/// Maximum number of parts that are replaced. Names that are declared in one are unknown in others.
const MAX_PARTS: usize = 40;
/// Words that can only begin a statement, or end its block.
const STATEMENTS: &[&str] = &["let", "if", "return", "for", "while", "}"];
/// An expression that can stand wherever a variable is read.
const ANY_VALUE: &str = "f()";

/// What the parser finds wrong in a script.
pub(super) struct Mistakes {
    /// The errors, from the first one.
    pub(super) found: Vec<Diagnostic>,
    /// The text without the parts that are wrong, at the same places, if that can be parsed.
    pub(super) rest: Option<String>,
    /// The parts that are left out, and the names that they declare.
    pub(super) left_out: Vec<Range<usize>>,
    pub(super) declared: Vec<String>,
}

impl From<Diagnostic> for Mistakes {
    fn from(error: Diagnostic) -> Self {
        Self { found: vec![error], rest: None, left_out: Vec::new(), declared: Vec::new() }
    }
}

impl Mistakes {
    /// Adds what is wrong in the rest, besides names that are declared in the parts which are left out.
    pub(super) fn add_of_rest(&mut self, more: Vec<Diagnostic>, own: &Arc<Source>) {
        for finding in more {
            let Some(place) = finding.place.clone().filter(|place| place.source.name == own.name)
            else {
                continue;
            };
            let name = place.source.text.get(place.span.clone()).unwrap_or_default();
            // The state of a machine is a string.
            let name = name.trim_matches('"');
            let is_left_out = self.left_out.iter().any(|part| part.contains(&place.span.start));
            let is_declared =
                [name, &format!(".{name}")].iter().any(|name| is_among(name, &self.declared));
            if !is_left_out && !is_declared {
                self.found.push(moved(finding, &place.source, own));
            }
        }
    }
}

/// Returns whether a name may be one of those that are declared. It may be one word with what follows it there, if a bracket is missing.
pub(super) fn is_among(name: &str, declared: &[String]) -> bool {
    declared.iter().any(|one| one == name || (name.len() > 2 && one.starts_with(name)))
}

/// Returns what is wrong in a script. `parse` parses a text in place of that of the script.
pub(super) fn mistakes(
    first: ParseError,
    parse: impl Fn(&str) -> Result<AST, ParseError>,
    sources: &Sources<'_>,
) -> Mistakes {
    let mut text = sources.own.text.clone();
    let brace = brace_behind(&first, sources);
    let mut error = first;
    // What is declared in the blanked parts is unknown in the others.
    let (mut declared, mut left_out, mut rest) = (Vec::new(), Vec::new(), None);
    if let Some((brace, part)) = &brace {
        let blank = part.blank(&text);
        text.replace_range(part.range.clone(), &blank);
        left_out.push(part.range.clone());
        match parse(&text) {
            Err(next) => error = next,
            Ok(_) => {
                let found = vec![brace.clone()];
                return Mistakes { found, rest: Some(text), left_out, declared };
            }
        }
    }
    let finding_in = |error: &ParseError, text: &str| {
        let own = Source::new(sources.own.name.clone(), text);
        let finding = parse_error(error, &Sources { own: &own, imported: sources.imported });
        (own, finding)
    };
    let (own, mut finding) = finding_in(&error, &text);
    let mut found = vec![moved(finding.clone(), &own, sources.own)];
    for _ in 1..MAX_PARTS {
        // One limit is one mistake.
        let is_limit =
            matches!(&*error.0, ParseErrorType::TooManyFunctions | ParseErrorType::ExprTooDeep);
        if found.len() >= MAX_MISTAKES {
            break;
        }
        let is_own = |place: &&Place| place.source.name == sources.own.name;
        let Some(place) = finding.place.as_ref().filter(is_own).filter(|_| !is_limit) else {
            break;
        };
        let stopped = stopped(&error, &text);
        let parts = repairs(&text, &error, &finding, place.span.start, stopped);
        let Some((part, new_text, result)) = first_that_helps(parts, &text, &parse) else {
            break;
        };
        declared.extend(declarations(&text[part.unsure.clone()]));
        text = new_text;
        left_out.push(part.unsure);
        let Err(next) = result else {
            rest = Some(text);
            break;
        };
        error = next;
        let own;
        (own, finding) = finding_in(&error, &text);
        let is_of_name = matches!(&*error.0, ParseErrorType::VariableUndefined(name) | ParseErrorType::Reserved(name) if declared.contains(name));
        let is_consequence = is_of_name || is_at_keyword(&text, &error, &own, &declared);
        let is_same_name = finding.message.contains("cannot be used as a name")
            && finding.remedies.0.is_empty()
            && found.iter().any(|one| one.message == finding.message);
        // Each part of a `do` without its condition lacks it.
        let is_same_loop = matches!(&*error.0, ParseErrorType::MissingToken(token, _) if token == "while")
            && found.iter().any(|one| one.message.contains("expected `while`"));
        let start = finding.place.as_ref().map(|place| place.span.start);
        let is_left_out = start.is_some_and(|at| left_out.iter().any(|part| part.contains(&at)));
        if is_consequence || is_same_name || is_same_loop || is_left_out {
            continue;
        }
        add(&mut found, moved(finding.clone(), &own, sources.own), &error.0);
    }
    // A brace may be too much because an opening one is missing.
    if let Some((brace, _)) = brace
        && !found.iter().any(is_opening_missing)
    {
        found.push(brace);
        found.sort_by_key(|one| one.place.as_ref().map(|place| place.span.start));
    }
    Mistakes { found, rest, left_out, declared }
}

/// Adds a mistake. A variable that is unknown at several places is one, unless each place has a fix.
fn add(found: &mut Vec<Diagnostic>, new: Diagnostic, kind: &ParseErrorType) {
    let is_variable = matches!(kind, ParseErrorType::VariableUndefined(_));
    let same = found.iter_mut().find(|one| is_variable && one.message == new.message);
    match same.filter(|_| new.remedies.0.is_empty()).zip(new.place.clone()) {
        Some((same, place)) => same.related.push((place, "here, too".to_owned())),
        None => found.push(new),
    }
}

/// Returns errors of statements that the parser accepts, and the rest of the script.
pub(super) fn without_statements(mut found: Vec<Diagnostic>, source: &Source) -> Mistakes {
    found.truncate(MAX_MISTAKES);
    let (mut rest, mut left_out) = (source.text.clone(), Vec::new());
    for place in found.iter().filter_map(|error| error.place.as_ref()) {
        let around = statements_around(&source.text, place.span.start);
        let Some(part) = around.into_iter().next() else { continue };
        rest.replace_range(part.range.clone(), &part.blank(&source.text));
        left_out.push(part.unsure);
    }
    let declared = left_out.iter().flat_map(|part| declarations(&source.text[part.clone()]));
    Mistakes { found, declared: declared.collect(), rest: Some(rest), left_out }
}

/// Returns errors of import statements or in the scripts that they import, and the rest of the script, where the names that they give are
/// unknown.
pub(super) fn without_imports(
    found: Vec<Diagnostic>,
    imports: Vec<(Range<usize>, Option<String>)>,
    source: &Source,
) -> Mistakes {
    let mut rest = source.text.clone();
    for (range, _) in &imports {
        rest.replace_range(range.clone(), &Part::new(range.clone(), "").blank(&source.text));
    }
    let (left_out, declared): (_, Vec<_>) = imports.into_iter().unzip();
    Mistakes {
        found,
        rest: Some(rest),
        left_out,
        declared: declared.into_iter().flatten().collect(),
    }
}

/// Returns the error of the head of a function, and the text in which its fix is applied, if there is room for it.
pub(super) fn with_head(wrong: &Diagnostic, source: &Source) -> Option<Mistakes> {
    let part = Part::meant(&source.text, wrong)?;
    let mut rest = source.text.clone();
    rest.replace_range(part.range.clone(), &part.blank(&source.text));
    let (found, left_out) = (vec![wrong.clone()], vec![part.unsure]);
    Some(Mistakes { found, rest: Some(rest), left_out, declared: Vec::new() })
}

/// Keywords that nobody can use as names.
const KEYWORDS: &[&str] = &[
    "as", "break", "catch", "const", "continue", "do", "else", "export", "false", "fn", "for",
    "if", "import", "in", "let", "loop", "private", "return", "switch", "throw", "true", "try",
    "until", "while",
];

/// Returns whether the parser stopped at a keyword, or behind one, that a left out part declares as the name of a variable.
fn is_at_keyword(text: &str, error: &ParseError, own: &Source, declared: &[String]) -> bool {
    let (Some(line), Some(column)) = (error.1.line(), error.1.position()) else { return false };
    let stop = own.offset(line, column);
    let code: Vec<Token> = code(text, Language::Rhai).collect();
    let after = code.partition_point(|token| token.span.start < stop);
    let around = &code[after.saturating_sub(1)..code.len().min(after + 1)];
    around.iter().any(|token| {
        let word = &text[token.span.clone()];
        KEYWORDS.contains(&word) && declared.iter().any(|name| name == word)
    })
}

/// Returns the error of a brace that is too much behind the first error of a script, and the part to leave out because of it.
fn brace_behind(first: &ParseError, sources: &Sources<'_>) -> Option<(Diagnostic, Part)> {
    let first = parse_error(first, sources);
    let brace = brackets::unclosed(sources.own, Language::Rhai)?;
    let start = |error: &Diagnostic| Some(error.place.as_ref()?.span.start);
    let is_own = first.place.as_ref().is_some_and(|place| place.source.name == sources.own.name);
    let is_behind = is_own && start(&first) < start(&brace) && !is_opening_missing(&first);
    let part = brace_too_much(&brace).filter(|_| is_behind)?;
    Some((brace, part))
}

/// Returns whether an error says that the brace of a block is missing.
fn is_opening_missing(error: &Diagnostic) -> bool {
    error.message.starts_with("expected `{`")
}

/// Moves a finding from a text to another one with the same places.
pub(super) fn moved(mut finding: Diagnostic, from: &Arc<Source>, to: &Arc<Source>) -> Diagnostic {
    let related = finding.related.iter_mut().map(|(place, _)| place);
    for place in finding.place.iter_mut().chain(related) {
        if place.source == *from {
            place.source = Arc::clone(to);
        }
    }
    finding.remedies.0.retain_mut(|remedy| match remedy {
        Remedy::Change(Fix { place, .. }) if place.source == *from => {
            // A fix that replaces what was replaced is about another text.
            let is_same = from.text.get(place.span.clone()) == to.text.get(place.span.clone());
            place.source = Arc::clone(to);
            is_same
        }
        _ => true,
    });
    finding
}

/// A part of a script that is replaced, so that the rest can be parsed.
struct Part {
    range: Range<usize>,
    /// What is there instead, besides blanks.
    instead: String,
    /// The part of which nothing else is said, and whose names are unknown.
    unsure: Range<usize>,
}

impl Part {
    fn new(range: Range<usize>, instead: &str) -> Self {
        Self { unsure: range.clone(), range, instead: instead.to_owned() }
    }

    /// Returns a statement to leave out. The variable that it declares is still there.
    fn statement(text: &str, range: Range<usize>) -> Self {
        let code = CodeTokens::new(&text[range.clone()], Language::Rhai);
        let is_let = code.get(0) == "let" && code.is_word(1) && code.get(2) == "=";
        let variable = format!("let {}={ANY_VALUE};", code.get(1));
        Self::new(
            range.clone(),
            if is_let && variable.len() <= range.len() { &variable } else { "" },
        )
    }

    /// Returns what the first fix of an error does, if there is room for it.
    fn meant(text: &str, finding: &Diagnostic) -> Option<Self> {
        let fix = finding.fixes().into_iter().next()?;
        // Where there is a parenthesis too many, another one may be missing.
        if fix.text.is_empty() && [")", "]"].contains(&&text[fix.place.span.clone()]) {
            return None;
        }
        let line = line_start(text, fix.place.span.start);
        let end = fix.place.span.end;
        let end = line_at(text, end).end;
        let (range, instead) = fix.in_place()?;
        // The same in other words, or only the end of a statement before the next one: all else in the line is as it is meant.
        let is_word = ["scripts have no `", "there is no operator `"]
            .iter()
            .any(|begin| finding.message.starts_with(begin));
        let is_next_statement = || {
            let next = text[fix.place.span.end..].split_whitespace().next().unwrap_or_default();
            fix.text == ";" && STATEMENTS.contains(&next)
        };
        let is_sure = is_word || is_next_statement();
        let unsure = if is_sure { fix.place.span } else { line..end };
        Some(Self { range, instead, unsure })
    }

    /// Returns as many bytes in as many lines. Rhai allows no blank letters of several bytes.
    fn blank(&self, text: &str) -> String {
        let rest = text[self.range.clone()].bytes().skip(self.instead.len());
        let blank = rest.map(|byte| if byte == b'\n' { '\n' } else { ' ' });
        self.instead.chars().chain(blank).collect()
    }
}

/// Returns where the parser stopped.
fn stopped(error: &ParseError, text: &str) -> usize {
    match (error.1.line(), error.1.position()) {
        (Some(line), column) => Source::new("", text).offset(line, column.unwrap_or(1)),
        _ => text.len(),
    }
}

/// Returns the parts that may be replaced because of an error: what is meant first, then ever larger parts to leave out.
fn repairs(
    text: &str,
    error: &ParseError,
    finding: &Diagnostic,
    at: usize,
    stopped: usize,
) -> Vec<Part> {
    let part = part_with(text, at, stopped, &error.0);
    let meant = Part::meant(text, finding)
        .filter(|_| part.as_ref().is_none_or(|part| part.instead != ANY_VALUE));
    // Before all functions, a line that opens no brace is whole.
    let line = || Some(line_at(text, at)).filter(|line| !text[line.clone()].contains('{'));
    let function = function_at(text, at).or_else(line).map(|range| Part::new(range, ""));
    let small = [repaired(finding), meant, part].into_iter().flatten();
    small.chain(statements_around(text, at)).chain(function).collect()
}

/// Returns the line around a place.
fn line_at(text: &str, at: usize) -> Range<usize> {
    let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
    line_start(text, at)..end
}

/// Returns the first part with which the parser gets behind it, with the text and what the parser says of it.
fn first_that_helps(
    parts: Vec<Part>,
    text: &str,
    parse: impl Fn(&str) -> Result<AST, ParseError>,
) -> Option<(Part, String, Result<AST, ParseError>)> {
    let open =
        |text: &str| Some(brackets::unclosed(&Source::new("", text), Language::Rhai)?.place?.span);
    let open_before = open(text);
    parts.into_iter().find_map(|part| {
        let mut new = text.to_owned();
        new.replace_range(part.range.clone(), &part.blank(text));
        let result = parse(&new);
        let end = part.unsure.end.max(part.range.end);
        let helps = match &result {
            Ok(_) => true,
            Err(next) => {
                let at = stopped(next, &new);
                // At the end, a bracket is missing that something closed before.
                let is_end = next.1.is_none();
                let between = new.get(end..at);
                let is_next =
                    between.is_some_and(|text| code(text, Language::Rhai).next().is_none());
                let is_unfinished = is_next
                    && matches!(&*next.0, ParseErrorType::MissingToken(token, _) if token == ";");
                !is_end && between.is_some() && !is_unfinished
            }
        };
        let is_closed = || {
            open(&new).is_none_or(|open| open.start >= end || open_before.as_ref() == Some(&open))
        };
        (helps && is_closed()).then_some((part, new, result))
    })
}

/// Returns the statements around a place that have blocks or are in blocks, from the innermost one.
fn statements_around(text: &str, at: usize) -> Vec<Part> {
    let code = CodeTokens::new(text, Language::Rhai);
    let begins_line = |index: usize| {
        let start = code.all[index].span.start;
        text[line_start(text, start)..start].trim().is_empty()
    };
    let is_end = |index: usize| {
        let is_last = index + 1 >= code.all.len() || begins_line(index + 1);
        match code.get(index) {
            ";" => true,
            "}" => is_last && !matches!(code.get(index + 1), "else" | "." | ")" | "]" | ","),
            _ => false,
        }
    };
    let mut found = Vec::new();
    let mut of = code.all.partition_point(|token| token.span.end <= at);
    for _ in 0..MAX_NESTED {
        if of >= code.all.len() {
            break;
        }
        let mut start = of;
        while start > 0 && !is_end(start - 1) && !matches!(code.get(start - 1), "(" | "[" | "{") {
            start = code.opening(start - 1).unwrap_or(start - 1);
        }
        let (mut end, mut unclosed) = (start, 0);
        while end < code.all.len() && code.get(end) != "}" && unclosed < MAX_NESTED {
            let closing = code.closing(end);
            unclosed += usize::from(closing.is_none() && matches!(code.get(end), "(" | "[" | "{"));
            let last = closing.unwrap_or(end);
            end = last + 1;
            if is_end(last) {
                break;
            }
        }
        let outer = start.checked_sub(1).and_then(|_| code.opening_around(start));
        let is_in_block = outer.is_some_and(|of| code.get(of) == "{" && code.before(of) != "#");
        if is_in_block && end > start {
            let span = code.all[start].span.start..code.all[end - 1].span.end;
            found.extend(condition(text, &code, start..end).map(|of| Part::new(of, ANY_VALUE)));
            found.push(Part::statement(text, span));
        }
        let Some(outer) = outer else { break };
        of = outer;
    }
    found
}

/// Returns the condition of a statement, in front of its block.
fn condition(text: &str, code: &CodeTokens, statement: Range<usize>) -> Option<Range<usize>> {
    let first = statement.start;
    let block = code.outside_brackets(statement).find(|&index| code.get(index) == "{");
    let block =
        block.or_else(|| (first + 1..code.all.len()).find(|&index| code.is_boundary(index)));
    let block = block.filter(|&block| code.get(block) == "{" && block > first + 1)?;
    let range = code.all[first + 1].span.start..code.all[block - 1].span.end;
    let is_condition =
        matches!(code.get(first), "if" | "while") && !text[range.clone()].contains('\n');
    (is_condition && range.len() >= ANY_VALUE.len()).then_some(range)
}

/// Returns the part to leave out because of a brace that is too much: only that. Where there is one parenthesis too many, another one may
/// be missing.
fn brace_too_much(error: &Diagnostic) -> Option<Part> {
    let place = error.place.as_ref()?;
    let is_removed = error.remedies.0.iter().any(|remedy| {
        matches!(remedy, Remedy::Change(fix) if fix.text.is_empty() && fix.place == *place)
    });
    let is_brace = place.source.text.get(place.span.clone()) == Some("}");
    (is_removed && is_brace).then(|| Part::new(place.span.clone(), ""))
}

/// Returns the part of which it is known what is meant: a brace that is too much or missing, or a comparison with its signs in the wrong
/// order.
fn repaired(error: &Diagnostic) -> Option<Part> {
    let comparison = error.remedies.0.iter().find_map(|remedy| {
        let Remedy::Change(fix) = remedy else { return None };
        let instead = [">=", "<="].into_iter().find(|meant| fix.text == *meant)?;
        Some(Part::new(fix.place.span.clone(), instead))
    });
    comparison
        .or_else(|| brace_too_much(error))
        .or_else(|| missing_brace(error))
        .or_else(|| block_behind_colon(error))
}

/// Returns the block behind a colon in braces, if there is a blank for the second one in front of the next statement.
fn block_behind_colon(error: &Diagnostic) -> Option<Part> {
    let fix = error.fixes().into_iter().next()?;
    let (text, span) = (fix.place.source.text.as_str(), fix.place.span);
    let is_block = fix.text.starts_with(" {") && fix.text.ends_with('}') && fix.text.contains('\n');
    let colon = span.start + text[span.clone()].find(':').filter(|_| is_block)?;
    let behind = &text[span.end..];
    let next = text.len() - behind.trim_start().len();
    let is_room = next > span.end && text[span.end..next].contains("\n ");
    let block = &text[colon + 1..next - 1];
    is_room.then(|| Part {
        range: colon..next,
        instead: format!("{{{block}}}"),
        unsure: colon..colon + 1,
    })
}

/// Returns the blank that becomes a brace which is missing there, if the other one of its block is written: the names in its block, and behind
/// it, can be checked then.
fn missing_brace(error: &Diagnostic) -> Option<Part> {
    error.remedies.0.iter().find_map(|remedy| {
        let Remedy::Change(Fix { place, text, .. }) = remedy else { return None };
        let source = place.source.text.as_str();
        let brace = Some(text.trim()).filter(|brace| ["{", "}"].contains(brace))?;
        let is_blank = |at: &usize| source[*at..].starts_with([' ', '\n']);
        // At the end of the text, the blank is before it.
        let places = [Some(place.span.start), place.span.start.checked_sub(1)];
        let at = places.into_iter().flatten().find(|at| is_blank(at));
        let at = at.filter(|_| place.span.is_empty())?;
        let mut with_brace = source.to_owned();
        with_brace.replace_range(at..=at, brace);
        let with_brace = Source::new(place.source.name.clone(), with_brace);
        let is_closed = brackets::unclosed(&with_brace, Language::Rhai).is_none();
        is_closed.then(|| Part::new(at..at + 1, brace))
    })
}

/// Returns the statement with a parenthesis at a place that is not closed: it ends with its line if another statement begins in the next one.
fn unclosed_in_line(text: &str, at: usize) -> Option<Range<usize>> {
    let line = text[at..].strip_prefix(['(', '[']).and_then(|rest| rest.lines().next())?;
    let end = at + 1 + line.len();
    let goes_on = line.trim_end().ends_with([',', '(', '[', '{', '+', '-', '*', '/', '|', '&']);
    let next = text[end..].split_whitespace().next().unwrap_or_default();
    if !STATEMENTS.contains(&next) || goes_on || line.trim().is_empty() {
        return None;
    }
    let statement = statement_at(&format!("{};", &text[..end]), at)?;
    Some(statement.start..end)
}

/// Returns the part to leave out because of an error at a place. `found` is where the parser stopped.
fn part_with(text: &str, at: usize, found: usize, kind: &ParseErrorType) -> Option<Part> {
    if let ParseErrorType::MissingToken(token, _) = kind
        && token == "{"
        && text[at..].starts_with("=>")
    {
        return Some(Part::new(at..at + 2, ">="));
    }
    if let ParseErrorType::MissingToken(token, _) = kind
        && (token == "{" || token == ";")
        && let Some(range) = unfinished_before_block(text, at)
    {
        return Some(Part::new(range, ""));
    }
    if let ParseErrorType::MissingToken(token, _) = kind
        && token == ";"
        && begins_statement(text, found)
    {
        // The statement ends where the next one begins.
        let range = statement_at(&format!("{};", &text[..found]), at)?;
        return Some(Part::statement(text, range.start..found));
    }
    if let ParseErrorType::MissingToken(token, _) = kind
        && token == "{"
        && let Some(range) = unfinished_condition(text, at)
        && range.len() >= ANY_VALUE.len()
    {
        return Some(Part::new(range, ANY_VALUE));
    }
    if let Some(UnconnectedValues { condition: range, .. }) = unconnected_values(kind, text, found)
        && range.len() >= ANY_VALUE.len()
    {
        return Some(Part::new(range, ANY_VALUE));
    }
    if let Some(range) = unclosed_in_line(text, at) {
        return Some(Part::statement(text, range));
    }
    // The parser may have stopped before the place that it reports.
    if matches!(kind, ParseErrorType::FnMissingName)
        && text.get(at..found).is_some_and(|between| between.trim() == "fn")
    {
        return Some(Part::new(at..found, ""));
    }
    let statement = statement_at(text, at);
    if let ParseErrorType::VariableUndefined(name) = kind
        && name.len() >= ANY_VALUE.len()
        && name.is_ascii()
        && text[at..].starts_with(name.as_str())
        && statement.as_ref().is_none_or(|statement| statement.start < at)
    {
        return Some(Part::new(at..at + name.len(), ANY_VALUE));
    }
    let mut range = statement?;
    // A `;` within parentheses, as in `f(1;);`: the rest of the statement belongs to it.
    let line = text[range.end..].lines().next().unwrap_or_default();
    let rest = line.trim_end_matches(|c| c != ';' && c != ')' && c != ']').len();
    let is_rest = line[..rest].chars().all(|c| matches!(c, ' ' | ')' | ']' | ';'));
    if is_rest && text[range.clone()].ends_with(';') {
        range.end += rest;
    }
    Some(Part::statement(text, range))
}

/// Returns whether a statement begins at a place, as far as can be seen: at the first word of a line, or at `let`.
fn begins_statement(text: &str, at: usize) -> bool {
    let line = line_start(text, at);
    text[line..at].trim().is_empty() || text[at..].starts_with("let ")
}
