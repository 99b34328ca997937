//! Errors of the grammar of scripts: every error of Rhai's parser becomes a [`Diagnostic`] here.

use std::ops::Range;
use std::sync::Arc;

use rhai::{ParseError, ParseErrorType, Position};

use super::foreign_forms::{foreign_loop, with_fix};
use super::grammar::grammar;
use super::missing_parenthesis::{closed_behind_neighbors, missing_parenthesis};
use super::missing_value::{missing_operator, missing_value, wrong_number};
use super::problem::{another_name, reserved_word};
use super::sources::Sources;
use super::stop::{Stop, is_word, last_word};
use super::{api, scope, synonyms};
use crate::diag::{Code, Diagnostic, Fix, Place, Source, brackets, nearest};
use crate::steer;
use crate::tokens::{CodeTokens, Language, TokenKind, code, tokens, trim_code_end};

/// Returns the error of a script that cannot be parsed.
pub(super) fn parse_error(error: &ParseError, sources: &Sources<'_>) -> Diagnostic {
    let first = parse_error_in(&error.0, error.1, None, sources);
    let found = brackets::prefer_bracket_error(first, Language::Rhai);
    let start = |error: &Diagnostic| Some(error.place.as_ref()?.span.start);
    let is_own = found.place.as_ref().is_some_and(|place| place.source == *sources.own);
    match missing_parenthesis(sources.own).filter(|_| is_own) {
        Some(missing) if start(&missing) <= start(&found) => missing,
        _ if is_own => closed_behind_neighbors(found, sources.own),
        _ => found,
    }
}

/// Returns the error of a script that cannot be parsed, from the kind of the error and its position in a file.
pub(super) fn parse_error_in(
    kind: &ParseErrorType,
    position: Position,
    file: Option<&str>,
    sources: &Sources<'_>,
) -> Diagnostic {
    let diagnostic = match kind {
        ParseErrorType::VariableUndefined(name) => unknown_variable(name, file, position, sources),
        ParseErrorType::ModuleUndefined(name)
            if synonyms::instead_of(name) == Some(synonyms::OF_NUMBERS) =>
        {
            let source = sources.source(file);
            let at = source.offset(position.line().unwrap_or(1), position.position().unwrap_or(1));
            let error = Diagnostic::error(format!("no script is imported as `{name}`"));
            without_module(error, source, at, name)
        }
        ParseErrorType::ModuleUndefined(name) => {
            Diagnostic::error(format!("no script is imported as `{name}`"))
                .help(format!("write `import \"...\" as {name};` at the top of the script"))
        }
        ParseErrorType::Reserved(name) if name.starts_with(is_letter) => {
            let source = sources.source(file);
            let at = source.offset(position.line().unwrap_or(1), position.position().unwrap_or(1));
            reserved_name(name, source, at)
        }
        ParseErrorType::MissingToken(token, _)
            if position
                .line()
                .is_some_and(|line| ends_at(&sources.source(file).text, line, position)) =>
        {
            match token.as_str() {
                "catch" => Diagnostic::error("expected `catch` after the block of `try`")
                    .help("write `try { ... } catch { ... }`"),
                _ => Diagnostic::error(format!("expected `{token}`, found the end of the script")),
            }
        }
        ParseErrorType::UnexpectedEOF => Diagnostic::error("the script ends unexpectedly"),
        other => {
            let source = sources.source(file);
            let offset =
                source.offset(position.line().unwrap_or(1), position.position().unwrap_or(1));
            grammar(other, &Stop::new(source, offset))
        }
    };
    let diagnostic = match diagnostic.code {
        Code::Invalid => diagnostic.code(Code::Syntax),
        _ => diagnostic,
    };
    // The end of a file has no position.
    if position.is_none() && diagnostic.place.is_none() {
        let source = sources.source(file);
        let end = source.text.trim_end().len();
        return diagnostic.at(source, end.saturating_sub(1)..end);
    }
    let source = sources.source(file);
    let stopped = source.offset(position.line().unwrap_or(1), position.position().unwrap_or(1));
    let at_sign_before = foreign_loop(source, stopped)
        .or_else(|| missing_value(kind, stopped, source))
        .or_else(|| missing_operator(kind, stopped, source))
        .or_else(|| wrong_number(kind, stopped, source));
    if let Some(error) = at_sign_before {
        return error;
    }
    if diagnostic.place.is_some() {
        return diagnostic;
    }
    let diagnostic = sources.at(diagnostic, file, position);
    match (kind, diagnostic.place.clone()) {
        (ParseErrorType::MissingToken(token, _), Some(place))
            if token == ";" && diagnostic.help.is_empty() =>
        {
            with_statement_advice(diagnostic, &place)
        }
        (ParseErrorType::MissingToken(token, _), Some(place)) if token == "{" => {
            missing_before_line(&diagnostic, &place, "{").unwrap_or(diagnostic)
        }
        (ParseErrorType::FnMissingBody(_), Some(place)) => {
            missing_before_line(&diagnostic, &place, "{").unwrap_or(diagnostic)
        }
        _ => diagnostic,
    }
}

/// Returns the error of a reserved word that is used at a place of a text.
fn reserved_name(name: &str, source: &Arc<Source>, at: usize) -> Diagnostic {
    let reserved = reserved_word(name);
    match use_of_name(&source.text, at, name) {
        NameUse::Key => reserved.help(format!("write it in quotes: `\"{name}\"`")),
        used => match synonyms::instead_of_keyword(name) {
            Some(instead) if used.fits(instead) => {
                let reserved = Diagnostic::error(format!("scripts have no `{name}`"))
                    .help(format!("write `{instead}` instead"));
                if name == "new" {
                    return with_fix(reserved, vector_made(source, at));
                }
                // `pass` is a statement, and `()` is none.
                if ["let", "()", "true", "false"].contains(&instead) && name != "pass" {
                    let title = format!("Write `{instead}`");
                    return reserved.fix(title, source, at..at + name.len(), instead);
                }
                reserved
            }
            _ => reserved.help(another_name(name)),
        },
    }
}

/// Returns the fix of `console.log(force)`, whose `console` is at a place of a text. `debug` takes one value.
fn shown_by_debug(source: &Arc<Source>, at: usize) -> Option<Fix> {
    let code = CodeTokens::new(&source.text, Language::Rhai);
    let console = code.all.partition_point(|token| token.span.start < at);
    let is_one = code.get(console + 1) == "." && code.arguments(console + 3)?.len() == 1;
    let span = at..code.all.get(console + 2)?.span.end;
    is_one.then(|| Fix::new("Write `debug`", source, span, "debug"))
}

/// Returns the fix of `new Vector2(1, 0)`, whose `new` is at a place of a text.
fn vector_made(source: &Arc<Source>, at: usize) -> Option<Fix> {
    let code = CodeTokens::new(&source.text, Language::Rhai);
    let class = code.all.partition_point(|token| token.span.start <= at);
    let is_vector = synonyms::instead_of(code.get(class)) == Some("vec(x, y)");
    let span = at..code.all.get(class)?.span.end;
    is_vector.then(|| Fix::new("Write `vec`", source, span, "vec"))
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// The use of a reserved word in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameUse {
    /// The name of something that is declared, or of an element.
    Name,
    /// A key of a map.
    Key,
    /// Something that is called.
    Call,
    Other,
}

impl NameUse {
    /// Returns whether something else can take the place of the word.
    fn fits(self, instead: &str) -> bool {
        match self {
            Self::Name | Self::Key => false,
            Self::Call => true,
            Self::Other => !instead.starts_with("me."),
        }
    }
}

/// Returns what a reserved word at a place is used for.
fn use_of_name(text: &str, at: usize, name: &str) -> NameUse {
    let before = text[..at].trim_end();
    let after = text[at..].strip_prefix(name).unwrap_or_default().trim_start();
    let is_declared = ["fn", "let", "const", "for", "as"].contains(&last_word(before));
    // A function of an imported script is declared there.
    if is_declared || before.ends_with("::") {
        NameUse::Name
    } else if before.ends_with(['{', ',']) && after.starts_with(':') {
        NameUse::Key
    } else if after.starts_with('(') {
        NameUse::Call
    } else if before.ends_with(['.', '|']) {
        NameUse::Name
    } else {
        NameUse::Other
    }
}

/// Returns the code before a place, without comments and white space at its end.
fn code_before(place: &Place) -> &str {
    trim_code_end(&place.source.text[..place.span.start], Language::Rhai)
}

/// Returns the error of a sign that is expected at a place as one behind the line before. `None` if the place does not begin a line:
/// what follows may be some lines below, and is right.
fn missing_before_line(error: &Diagnostic, place: &Place, sign: &str) -> Option<Diagnostic> {
    let (source, before) = (&place.source, code_before(place));
    let end = before.len();
    // Behind a block, which was read as a map then, no other one is missing.
    let is_behind_block = sign == "{" && before.ends_with('}');
    if is_behind_block || !source.text[end..place.span.start].contains('\n') {
        return None;
    }
    let last = before.char_indices().next_back().map_or(0, |(last, _)| last);
    let (title, text) = match sign {
        "{" => ("Insert `{`", " {"),
        _ => ("Add `;`", ";"),
    };
    let or = if sign == ";" { " or an operator" } else { "" };
    let mut missing = error.clone();
    missing.message = format!("expected `{sign}`{or} after this");
    missing.place = Some(Place { source: Arc::clone(source), span: last..end });
    if sign == "{" && missing.help.is_empty() {
        missing = missing.help("a block stands in braces, also if it has one line: `{ ... }`");
    }
    Some(missing.fix(title, source, end..end, text).related(place.clone(), "the next statement"))
}

/// Adds advice to the error of a `;` that is expected at a place: that it is missing if the place begins a line, else
/// what may be meant by what is before and at the place.
fn with_statement_advice(mut error: Diagnostic, place: &Place) -> Diagnostic {
    let source = &place.source;
    let (text, before) = (source.text.as_str(), code_before(place));
    let line = before.rsplit('\n').next().unwrap_or_default();
    if text[place.span.start..].starts_with(['}', ')', ']']) {
        // The last expression of a block has no `;`: it is the bracket that is wrong.
        return error;
    }
    if let Some(missing) = missing_before_line(&error, place, ";") {
        return missing;
    }
    let word = last_word(before);
    let digit = |c: char| c.is_ascii_digit();
    let after = &text[place.span.end..];
    match &text[place.span.clone()] {
        "," if !word.is_empty() && word.chars().all(digit) && after.starts_with(digit) => {
            let fraction = after.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
            error.message = "a number has a point, not a comma".to_owned();
            let error = error.help(format!("write `{word}.{fraction}`"));
            error.fix("Write a point", source, place.span.clone(), ".")
        }
        found
            if is_value_word(found)
                && !word.is_empty()
                && word.chars().all(|c| c.is_ascii_digit() || c == '.') =>
        {
            let end = before.len();
            error.message = format!("an operator such as `*` is missing before `{found}`");
            error.fix("Insert `*`", source, end..end, " *")
        }
        "," if word == "me" => {
            error.message = "expected `.` after `me`, found `,`".to_owned();
            let error = error.help("write `.` instead of `,`");
            error.fix("Write `.`", source, place.span.clone(), ".")
        }
        ":" => match named_value(text, &place.span) {
            Some((span, meant, value)) => error.help(format!("write `{meant} {value}`")).fix(
                format!("Write `{meant}`"),
                source,
                span,
                meant,
            ),
            None => error.help("a variable has no type: write `let x = 1.0`"),
        },
        "{" if line.starts_with(is_letter) => {
            let start = before.len() - line.len();
            error.message = "`fn` is missing at the beginning of this line".to_owned();
            error.help(format!("a function begins with `fn`: `fn {line} {{`")).fix(
                "Insert `fn`",
                source,
                start..start,
                "fn ",
            )
        }
        _ => match nearest(&word.to_lowercase(), STATEMENTS.iter().copied()) {
            Some(meant) if word != meant => error.help(format!("did you mean `{meant}`?")),
            _ => error,
        },
    }
}

/// Returns what to write in place of a name and its `:` if they begin a statement and a value follows, as in `slow: 5`: where, `let slow =`,
/// and the value.
fn named_value<'t>(text: &'t str, colon: &Range<usize>) -> Option<(Range<usize>, String, &'t str)> {
    let before = text[..colon.start].trim_end();
    let name = last_word(before);
    let start = before.len() - name.len();
    let head = trim_code_end(&text[..start], Language::Rhai);
    let begins = head.is_empty() || head.ends_with(['{', '}', ';']);
    let is_declared = last_word(head) == "let";
    let rest = text[colon.end..].lines().next().unwrap_or_default();
    let value = rest.split(';').next()?.split("//").next()?.trim();
    // Otherwise a type is there, or nothing.
    let is_value =
        !value.is_empty() && !value.contains(['=', ':', '{', '}']) && !value.ends_with(',');
    if !is_word(name) || !(begins || is_declared) || !is_value {
        return None;
    }
    let start = if is_declared { head.len() - "let".len() } else { start };
    let is_known = !is_declared && scope::variables(text, start).contains(&name);
    let meant = format!("{}{name} =", if is_known { "" } else { "let " });
    Some((start..colon.end, meant, value))
}

/// Returns whether a word is a name, which begins a value.
fn is_value_word(word: &str) -> bool {
    word.starts_with(is_letter) && !STATEMENTS.contains(&word)
}

/// The words that statements begin with, in front of something else.
const STATEMENTS: &[&str] =
    &["const", "else", "fn", "for", "if", "import", "let", "return", "switch", "throw", "while"];

/// Returns the error of reading a variable that does not exist.
pub(super) fn unknown_variable(
    name: &str,
    file: Option<&str>,
    position: Position,
    sources: &Sources<'_>,
) -> Diagnostic {
    if name == "me" {
        let source = sources.source(file);
        let at = source.offset(position.line().unwrap_or(1), position.position().unwrap_or(1));
        let function = source.text[..at].rsplit("fn ").next().unwrap_or_default();
        let own = ["steer", "init"].into_iter().find_map(|name| {
            let (parameter, _) = function.strip_prefix(name)?.strip_prefix('(')?.split_once(')')?;
            Some((name, parameter.trim()))
        });
        if let Some((own, parameter)) = own.filter(|(_, parameter)| !parameter.contains(',')) {
            let help = match parameter {
                "" => format!("`{own}` has no parameter: write `fn {own}(me)`"),
                _ => format!(
                    "the parameter of `{own}` is called `{parameter}`: write `fn {own}(me)`"
                ),
            };
            let head = source.text[..at].len() - function.len() + own.len();
            let end = head + function[own.len()..].find(')').map_or(0, |end| end + 1);
            return Diagnostic::error("there is no variable `me` here")
                .code(Code::UnknownName)
                .help(help)
                .fix(format!("Write `{own}(me)`"), source, head..end, "(me)");
        }
        return Diagnostic::error("there is no variable `me` here")
            .code(Code::UnknownName)
            .help("`me` is the parameter of `init` and `steer`: pass it on to the functions that they call");
    }
    let unknown = Diagnostic::error(format!("there is no variable `{name}`"));
    let source = sources.source(file);
    let at = source.offset(position.line().unwrap_or(1), position.position().unwrap_or(1));
    let own = scope::variables(&source.text, at);
    if let Some(declared) = undeclared(&unknown, source, at, name, &own) {
        return declared;
    }
    if is_imported(&source.text, name) {
        let error = unknown.code(Code::UnknownName);
        return error.help(format!(
            "`{name}` is an imported script: write `{name}::` before its functions"
        ));
    }
    match synonyms::instead_of(name) {
        Some(synonyms::OF_NUMBERS) => {
            return without_module(unknown.code(Code::UnknownName), source, at, name);
        }
        Some(instead @ "debug(value)") => {
            let unknown =
                unknown.code(Code::UnknownName).help(format!("did you mean `{instead}`?"));
            return with_fix(unknown, shown_by_debug(source, at));
        }
        Some(instead) => return unknown.code(Code::UnknownName).meant(name, instead),
        None => {}
    }
    if steer::find(name).is_some() {
        return unknown
            .code(Code::UnknownName)
            .help(format!("`{name}` is a function: write `me.{name}(...)`"));
    }
    if api::properties("me").any(|known| known == name) {
        return unknown.code(Code::UnknownName).meant(name, &format!("me.{name}"));
    }
    if let Some(meant) = me_by_member(source, at, name, &own) {
        return unknown.code(Code::UnknownName).meant(name, meant);
    }
    if let Some(place) = scope::declaration_below(&source.text, at, name) {
        let line = source.line_column(place.start).0;
        let below = Place { source: Arc::clone(source), span: place };
        return Diagnostic::error(format!("`{name}` is declared below, in line {line}"))
            .code(Code::UnknownName)
            .help(format!("move this use behind line {line}, or the declaration above it"))
            .related(below, "declared here");
    }
    if let Some(place) = scope::declaration_in_block(&source.text, at, name) {
        let line = source.line_column(place.start).0;
        let inside = Place { source: Arc::clone(source), span: place };
        return unknown
            .code(Code::UnknownName)
            .help(format!(
                "`{name}` of line {line} is known only in its block: declare it before that, and set it there"
            ))
            .related(inside, "declared here");
    }
    if let Some((line, sign)) = declared_in_comment(&source.text, at, name) {
        return unknown
            .code(Code::UnknownName)
            .help(format!("line {line}, which declares it, is a comment: remove its `//`"))
            .fix(format!("Remove the `//` of line {line}"), source, sign, "");
    }
    let imported = sources.imported.iter();
    let imported = imported.flat_map(|source| scope::constants(&source.text));
    // `me` exists only in functions that have it as a parameter.
    let globals = api::GLOBALS.iter().copied().filter(|name| *name != "me");
    unknown.suggest(name, own.into_iter().chain(imported).chain(globals))
}

/// Returns the nearest line above a byte offset that is a comment and would declare a variable: its number, and its `//` with the
/// spaces behind it. Lines above the function that the offset is in do not count.
fn declared_in_comment(text: &str, at: usize, name: &str) -> Option<(usize, Range<usize>)> {
    let comments = tokens(text, Language::Rhai).take_while(|token| token.span.end <= at);
    let mut found = None;
    for token in comments {
        let written = &text[token.span.clone()];
        let code = written.trim_start_matches('/').trim_start();
        let mut words = tokens(code, Language::Rhai);
        let mut is = |wanted: &str| words.next().is_some_and(|word| &code[word.span] == wanted);
        if written == "fn" {
            found = None;
        } else if token.kind == TokenKind::LineComment && is("let") && is(name) && is("=") {
            let line = text[..token.span.start].matches('\n').count() + 1;
            found = Some((line, token.span.start..token.span.end - code.len()));
        }
    }
    found
}

/// Returns whether a script is imported under a name.
fn is_imported(text: &str, name: &str) -> bool {
    let mut before = "";
    code(text, Language::Rhai).any(|token| {
        let word = &text[token.span];
        std::mem::replace(&mut before, word) == "as" && word == name
    })
}

/// Returns `me` if an unknown variable at a byte offset has a member that `me` has, in a function with `me`, and no other variable is meant.
fn me_by_member(source: &Source, at: usize, name: &str, own: &[&str]) -> Option<&'static str> {
    let after = source.text[at..].strip_prefix(name)?.trim_start().strip_prefix('.')?.trim_start();
    let end = after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len());
    let member = &after[..end];
    let is_only_of_me =
        steer::find(member).is_some() || api::owners(member).collect::<Vec<_>>() == ["me"];
    // Other values have these, too.
    let is_of_me = api::properties("me").any(|known| known == member)
        || api::method_signature(member, "`me`").is_some();
    let is_of_me = is_only_of_me || (is_of_me && name.len() <= 2);
    let others = own.iter().copied().filter(|one| *one != "me");
    let is_meant = own.contains(&"me") && is_of_me && nearest(name, others).is_none();
    is_meant.then_some("me")
}

/// Adds help with a module of functions of numbers, which scripts do not have, to an error at its name, and the fix that writes the function
/// or the constant behind it alone.
fn without_module(error: Diagnostic, source: &Arc<Source>, at: usize, name: &str) -> Diagnostic {
    let after = source.text[at..].strip_prefix(name).unwrap_or_default();
    let behind = after.trim_start_matches(['.', ':']);
    let length = behind.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(behind.len());
    let called = behind[..length].to_lowercase();
    let signature = api::signatures(&called, "a float").into_iter().next();
    let constant = api::GLOBALS.iter().find(|name| name.to_lowercase() == called);
    let instead = || synonyms::instead_of(&called).unwrap_or("max(a, b)").to_owned();
    let alone = constant.map_or(&*called, |name| *name);
    let is_known = signature.is_some() || constant.is_some();
    let example = signature.or_else(|| Some((*constant?).to_owned())).unwrap_or_else(instead);
    let error = error.help(format!("functions and constants of numbers stand alone: `{example}`"));
    if !is_known {
        return error;
    }
    let end = at + name.len() + after.len() - behind.len() + length;
    error.fix(format!("Write `{alone}`"), source, at..end, alone)
}

/// Returns the error of a statement that assigns to a variable that does not exist, if no other name is meant.
fn undeclared(
    unknown: &Diagnostic,
    source: &Arc<Source>,
    at: usize,
    name: &str,
    own: &[&str],
) -> Option<Diagnostic> {
    let (before, after) = (source.text[..at].trim_end(), &source.text[at..]);
    let value = after.strip_prefix(name)?.trim_start().strip_prefix('=')?;
    let is_first_in_line = source.text[before.len()..at].contains('\n');
    let begins = before.is_empty() || before.ends_with(['{', '}', ';']) || is_first_in_line;
    if !begins || value.starts_with('=') || nearest(name, own.iter().copied()).is_some() {
        return None;
    }
    let unknown = unknown.clone().code(Code::UnknownName);
    let help = format!("`let` is missing: a new variable is declared with `let {name} = ...`");
    Some(unknown.help(help).fix("Declare it with `let`", source, at..at, "let "))
}

/// Returns the name of the element in an assignment like `map.name += 1` or `map["name"] += 1`, whose operator is at a
/// position.
pub(super) fn changed_element(source: &Source, position: Position) -> Option<&str> {
    let at = source.offset(position.line()?, position.position()?);
    let (before, rest) = source.text.split_at_checked(at)?;
    let operator = &rest[..rest.find('=')?];
    if operator.is_empty() || !operator.chars().all(|c| c.is_ascii_punctuation()) {
        return None;
    }
    let before = before.trim_end();
    if let Some(quoted) = before.strip_suffix("\"]") {
        return quoted.rsplit_once("[\"").map(|(_, name)| name);
    }
    let word = last_word(before);
    before.strip_suffix(word)?.trim_end().ends_with('.').then_some(word)
}

/// Returns whether a position is at the end of a script.
fn ends_at(text: &str, line: usize, position: Position) -> bool {
    let text = text.trim_end();
    let count = text.lines().count();
    let last = text.lines().next_back().unwrap_or_default();
    let column = position.position().unwrap_or_default();
    let rest: String = last.chars().skip(column).collect();
    count < line || (count == line && rest.trim().is_empty())
}
