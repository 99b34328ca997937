//! Fixes of expressions, loops and blocks that are written as in other languages: `not a and b`, `a ? b : c`, `for (x of list)`, and blocks
//! behind a colon.

use std::ops::Range;
use std::sync::Arc;

use super::stop::Stop;
use crate::diag::{Diagnostic, Fix, Remedy, Source};
use crate::tokens::{CodeTokens, Language, line_start};

/// The words of other languages between and before conditions, and the operators instead of them.
const LOGIC: [(&str, &str); 3] = [("and", "&&"), ("or", "||"), ("not", "!")];

/// Signs that compare two values.
const COMPARISONS: [&str; 6] = ["==", "!=", "<", ">", "<=", ">="];

/// Returns the operator that is meant by a word at a token. Members can have such names.
fn operator(code: &CodeTokens<'_>, index: usize) -> Option<&'static str> {
    let word = code.get(index);
    let is_name = matches!(code.before(index), "." | "let" | "const" | "fn" | "is")
        || matches!(code.get(index + 1), "in" | ".");
    let meant = LOGIC.iter().find(|(of, _)| *of == word).filter(|_| !is_name);
    meant.map(|(_, operator)| *operator)
}

/// Returns the error of `and`, `or` or `not` at a byte offset: one for all of them from there to the end of the expression, with one fix.
pub(super) fn logic_words(at: usize, stop: &Stop<'_>) -> Option<Diagnostic> {
    let text = stop.source.text.as_str();
    let code = CodeTokens::new(text, Language::Rhai);
    let found = code.all.partition_point(|token| token.span.start < at);
    let begins_line = |index: usize| {
        let start = code.all[index].span.start;
        text[line_start(text, start)..start].trim().is_empty()
    };
    let is_end = |index: usize| {
        code.is_boundary(index)
            || (begins_line(index) && BEGINNINGS.contains(&code.get(index)))
            || code.get(index) == ":"
    };
    let end = (found..code.all.len()).find(|&index| is_end(index)).unwrap_or(code.all.len());
    // The parser takes `not (a)` for a call.
    let start = (0..found).rev().find(|&index| is_end(index)).map_or(0, |before| before + 1);
    let mut all = start..end;
    let first =
        all.find(|&index| operator(&code, index).is_some()).filter(|&index| index <= found)?;
    let words: Vec<usize> =
        (first..end).filter(|&index| operator(&code, index).is_some()).collect();
    let last = *words.last()?;
    let mut new = String::new();
    let mut from = code.all[first].span.start;
    // The ends of comparisons behind `not`, which belongs to all of them.
    let mut closing: Vec<usize> = Vec::new();
    for index in first..end {
        let span = code.all[index].span.clone();
        if let Some(operator) = operator(&code, index) {
            new.push_str(&text[from..span.start]);
            new.push_str(operator);
            let compared = (operator == "!").then(|| comparison(&code, index + 1..end)).flatten();
            from = span.end;
            if operator == "!" {
                from += text[span.end..].len() - text[span.end..].trim_start().len();
                new.push_str(if compared.is_some() { "(" } else { "" });
            }
            closing.extend(compared);
        }
        for _ in closing.extract_if(.., |last| *last == index) {
            new.push_str(&text[from..span.end]);
            new.push(')');
            from = span.end;
        }
        if index >= last && closing.is_empty() {
            break;
        }
    }
    let to = from.max(code.all[last].span.end);
    new.push_str(&text[from..to]);
    let used = LOGIC.iter().filter(|(of, _)| words.iter().any(|&index| code.get(index) == *of));
    let used: Vec<&(&str, &str)> = used.collect();
    let list = |part: &dyn Fn(&(&str, &str)) -> String| -> String {
        used.iter().map(|one| part(one)).collect::<Vec<_>>().join(", ")
    };
    let help = list(&|(word, sign)| format!("`{sign}` instead of `{word}`"));
    let title = format!("Write {}", list(&|(_, sign)| format!("`{sign}`")));
    let start = code.all[first].span.start;
    Some(
        Diagnostic::error(format!("scripts have no {}", list(&|(word, _)| format!("`{word}`"))))
            .help(format!("write {help}"))
            .fix(title, stop.source, start..to, new)
            .at(stop.source, code.all[first].span.clone()),
    )
}

/// Keywords that begin statements.
const BEGINNINGS: [&str; 8] = ["let", "const", "if", "for", "while", "loop", "return", "fn"];

/// Returns the last token of a comparison that begins with some tokens. `None` if nothing is compared there.
fn comparison(code: &CodeTokens<'_>, tokens: Range<usize>) -> Option<usize> {
    let first = tokens.start;
    let is_end =
        |index: usize| matches!(code.get(index), "&&" | "||" | "," | ")" | "]" | "and" | "or");
    let outside: Vec<usize> = code.outside_brackets(tokens.clone()).collect();
    let end = outside
        .iter()
        .copied()
        .find(|&index| is_end(index) && (code.opening(index).is_none_or(|open| open < first)));
    let end = end.unwrap_or(tokens.end);
    let is_compared =
        outside.iter().any(|&index| index < end && COMPARISONS.contains(&code.get(index)));
    is_compared.then(|| end - 1)
}

/// Returns the fix of a condition with two values, `a ? b : c`, whose `?` is where the parser stopped.
pub(super) fn conditional(stop: &Stop<'_>) -> Option<Fix> {
    let text = stop.source.text.as_str();
    let code = CodeTokens::new(text, Language::Rhai);
    let question = code.all.partition_point(|token| token.span.start < stop.offset);
    let begins_value = |index: usize| {
        let word = code.get(index);
        let is_assignment = word.ends_with('=') && !COMPARISONS.contains(&word);
        code.is_boundary(index)
            || is_assignment
            || matches!(word, "(" | "[" | "," | "return" | "=>" | "?" | ":")
    };
    let mut start = question;
    while start > 0 && (code.get(start - 1) == "}" || !begins_value(start - 1)) {
        start = code.opening(start - 1).unwrap_or(start - 1);
    }
    let mut outside = code
        .outside_brackets(question + 1..code.all.len())
        .skip_while(|&index| !matches!(code.get(index), ":" | "?" | ";" | "," | "}"));
    let colon = outside.next().filter(|&index| code.get(index) == ":")?;
    let end =
        outside.find(|&index| matches!(code.get(index), ":" | "?" | ";" | "," | "}" | ")" | "]"));
    let end = end.filter(|&index| !matches!(code.get(index), ":" | "?"))?;
    let part = |tokens: Range<usize>| {
        let last = tokens.end.checked_sub(1).filter(|last| *last >= tokens.start)?;
        Some(&text[code.all[tokens.start].span.start..code.all[last].span.end])
    };
    let (condition, yes, no) =
        (part(start..question)?, part(question + 1..colon)?, part(colon + 1..end)?);
    let new = format!("if {condition} {{ {yes} }} else {{ {no} }}");
    if new.contains('\n') || new.contains("//") {
        return None;
    }
    let span = code.all[start].span.start..code.all[end - 1].span.end;
    Some(Fix::new(format!("Write `{new}`"), stop.source, span, new))
}

/// Returns the fix of a block behind a colon, where the parser stopped: braces around what is indented, or behind the colon.
pub(super) fn braces(stop: &Stop<'_>) -> Option<Fix> {
    let text = stop.source.text.as_str();
    let from = stop.before.len();
    let fix =
        |title: &str, end: usize, new: String| Some(Fix::new(title, stop.source, from..end, new));
    let behind = stop.offset + stop.found.len();
    if stop.after.trim_start().starts_with('{') {
        return fix("Remove the `:`", behind, String::new());
    }
    let head = line_start(text, from);
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let head_indent = &text[head..head + indent(&text[head..])];
    let rest = stop.after.lines().next().unwrap_or_default();
    let statement = rest.split("//").next().unwrap_or_default().trim_end();
    if !statement.is_empty() {
        let end = behind + statement.len();
        let is_whole = !statement.contains(['{', '}']);
        return is_whole.then(|| fix("Write `{` and `}`", end, format!(" {{{statement} }}")))?;
    }
    let (mut end, mut at, mut is_closed) = (behind, behind + rest.len() + 1, false);
    for line in text.get(at..).unwrap_or_default().split_inclusive('\n') {
        at += line.len();
        if line.trim().is_empty() {
            continue;
        }
        if indent(line) <= head_indent.len() {
            is_closed = line.trim_start().starts_with('}') && indent(line) == head_indent.len();
            break;
        }
        end = at;
    }
    let end = text[..end].trim_end().len();
    if is_closed {
        return fix("Write `{`", behind, " {".to_owned());
    }
    if end <= behind {
        return None;
    }
    let block = &text[behind..end];
    fix("Write `{` and `}`", end, format!(" {{{block}\n{head_indent}}}"))
}

/// Returns the fix of a statement without braces in the line in which the parser stopped, which it ends.
pub(super) fn braces_in_line(stop: &Stop<'_>) -> Option<Fix> {
    let rest = stop.source.text[stop.offset..].lines().next().unwrap_or_default();
    let statement = rest.split("//").next().unwrap_or_default().trim_end();
    let begins = ["return", "break", "continue", "me.", "throw"];
    let is_whole = statement.ends_with(';')
        && statement.matches(';').count() == 1
        && begins.iter().any(|word| statement.starts_with(word));
    let end = stop.offset + statement.len();
    let new = format!("{{ {statement} }}");
    is_whole.then(|| Fix::new(format!("Write `{new}`"), stop.source, stop.offset..end, new))
}

/// Returns the error of a loop whose head is in parentheses, as in C or JavaScript, if the parser stopped there.
pub(super) fn foreign_loop(source: &Arc<Source>, stopped: usize) -> Option<Diagnostic> {
    let code = CodeTokens::new(&source.text, Language::Rhai);
    let at = code.all.partition_point(|token| token.span.start < stopped);
    let open = if code.get(at) == "(" { at } else { code.opening_around(at)? };
    let word = open.checked_sub(1).filter(|&word| matches!(code.get(word), "for" | "foreach"))?;
    let close = code.closing(open)?;
    let span = code.all[word].span.start..code.all[close].span.end;
    let fix = loop_head(&code, open + 1..close)
        .map(|new| Fix::new(format!("Write `{new}`"), source, span.clone(), new));
    let error = Diagnostic::error("the head of a loop has no parentheses")
        .help("write `for other in list { ... }` or `for i in 0..3 { ... }`")
        .at(source, span.start..code.all[open].span.end);
    Some(with_fix(error, fix))
}

/// Returns the head of a loop from what is in its parentheses: a variable and a list, or a count from a number to another one.
fn loop_head(code: &CodeTokens<'_>, inner: Range<usize>) -> Option<String> {
    let part = |tokens: Range<usize>| {
        let last = tokens.end.checked_sub(1).filter(|last| *last >= tokens.start)?;
        Some(&code.text[code.all[tokens.start].span.start..code.all[last].span.end])
    };
    let between = |signs: &[&str], from: usize| {
        let mut outside = code.outside_brackets(from..inner.end);
        outside.find(|&index| signs.contains(&code.get(index)))
    };
    if let Some(word) = between(&["in", "of", ":"], inner.start) {
        let name = word.checked_sub(1).filter(|&name| code.is_word(name))?;
        return Some(format!("for {} in {}", code.get(name), part(word + 1..inner.end)?));
    }
    let sign = between(&["="], inner.start)?;
    let name = code.get(sign.checked_sub(1)?);
    let first = between(&[";"], sign)?;
    let second = between(&[";"], first + 1)?;
    let range = match code.get(first + 2) {
        "<" => "..",
        "<=" => "..=",
        _ => return None,
    };
    let step: String = part(second + 1..inner.end)?.split_whitespace().collect();
    let is_one = [format!("{name}++"), format!("++{name}"), format!("{name}+=1")].contains(&step);
    let (from, to) = (part(sign + 1..first)?, part(first + 3..second)?);
    (is_one && code.get(first + 1) == name).then(|| format!("for {name} in {from}{range}{to}"))
}

/// Adds a fix to an error, if there is one.
pub(super) fn with_fix(error: Diagnostic, fix: Option<Fix>) -> Diagnostic {
    match fix {
        Some(fix) => error.remedy(Remedy::Change(fix)),
        None => error,
    }
}
