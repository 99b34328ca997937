//! Plain words for errors of the grammar of scripts, in place of those of Rhai's parser.

use std::ops::Range;
use std::sync::Arc;

use rhai::{LexError, ParseErrorType};

use super::foreign_forms::{braces, conditional, with_fix};
use super::grammar_words::{foreign_word, unusual_sign};
use super::limits;
use super::missing_token::missing_token;
use super::problem::{ADD_VECTOR, another_name, lowercase, mismatch, not_iterable, reserved_word};
use super::statements::function_at;
use super::stop::{Stop, last_word};
use crate::diag::{Diagnostic, Place};
use crate::steer;
use crate::tokens::{CodeTokens, Language};

/// Returns the error of the grammar of a script where the parser stopped. It has a place only if that is not where the parser stopped.
pub(super) fn grammar(kind: &ParseErrorType, stop: &Stop<'_>) -> Diagnostic {
    if let Some(foreign) = foreign_word(kind, stop) {
        return foreign;
    }
    match kind {
        ParseErrorType::MissingToken(token, why) => missing_token(token, why, stop),
        ParseErrorType::BadInput(input) => bad_input(input, stop),
        ParseErrorType::UnknownOperator(sign) => unknown_operator(sign, stop),
        ParseErrorType::Reserved(sign) => reserved_sign(sign, stop),
        ParseErrorType::MismatchedType(wanted, _) if wanted.contains("iterable") => not_iterable(),
        ParseErrorType::MismatchedType(wanted, found) if wanted.contains("boolean") => {
            mismatch(found, "a boolean")
        }
        ParseErrorType::VariableExpected => expected_name(stop),
        ParseErrorType::ExprExpected(what) if what.contains("literal") => wrong_case(stop),
        ParseErrorType::WrongSwitchDefaultCase => {
            Diagnostic::error("`_` must be the last case of `switch`")
                .help("move it behind the other cases")
        }
        ParseErrorType::WrongFnDefinition => {
            Diagnostic::error("a function cannot be defined inside another one")
        }
        ParseErrorType::ExprTooDeep => limits::too_deep(),
        ParseErrorType::TooManyFunctions => limits::too_many_functions(),
        ParseErrorType::PropertyExpected if stop.found == "curry" => {
            Diagnostic::error("scripts cannot use `curry`")
                .help("write a closure: `|x| f.call(first, x)`")
        }
        ParseErrorType::PropertyExpected => {
            Diagnostic::error(format!("expected a name, found `{}`", stop.found))
        }
        ParseErrorType::FnMissingName
        | ParseErrorType::FnMissingParams(_)
        | ParseErrorType::FnMissingBody(_)
        | ParseErrorType::FnDuplicatedParam(..)
        | ParseErrorType::FnDuplicatedDefinition(..) => wrong_function(kind, stop),
        ParseErrorType::DuplicatedProperty(name) => {
            Diagnostic::error(format!("the map has two elements `{name}`"))
                .help("remove one of them, or rename it")
        }
        ParseErrorType::LoopBreak => {
            Diagnostic::error(format!("`{}` stands outside of a loop", stop.found))
                .help("to end the function here, write `return;`")
        }
        ParseErrorType::AssignmentToInvalidLHS(_) => {
            Diagnostic::error("nothing can be assigned to this")
                .help("the left side of `=` is a variable, a property or an element; `==` compares")
        }
        ParseErrorType::AssignmentToConstant(name) if name.is_empty() => {
            Diagnostic::error("nothing can be assigned to a value")
                .help("the left side of `=` is a variable; `==` compares")
        }
        ParseErrorType::AssignmentToConstant(name) => changed_constant(name, stop),
        ParseErrorType::WrongDocComment => {
            Diagnostic::error("a comment with `///` stands before a function only")
                .help("write `//`")
        }
        other => Diagnostic::error(lowercase(&other.to_string())),
    }
}

/// Returns the error of a constant that is changed. In a function, it may be meant to be a variable.
fn changed_constant(name: &str, stop: &Stop<'_>) -> Diagnostic {
    let error = Diagnostic::error(format!("the constant `{name}` cannot be changed"));
    let text = &stop.source.text;
    let Some(Range { start, .. }) = function_at(text, stop.offset) else { return error };
    let code = CodeTokens::new(&text[start..stop.offset], Language::Rhai);
    let is_it = |&index: &usize| code.get(index) == "const" && code.get(index + 1) == name;
    let Some(declared) = (0..code.all.len()).rfind(is_it) else { return error };
    let keyword = &code.all[declared].span;
    let keyword = start + keyword.start..start + keyword.end;
    let help = format!("a variable can be changed: `let {name} = ...`");
    error.help(help).fix("Write `let`", stop.source, keyword, "let")
}

/// Returns the error of a sign or a word that cannot be where it is.
fn bad_input(input: &LexError, stop: &Stop<'_>) -> Diagnostic {
    match input {
        LexError::UnexpectedInput(sign) if !sign.is_ascii() => unusual_sign(stop),
        LexError::UnexpectedInput(sign) => unexpected(sign, stop),
        LexError::MalformedChar(text) => {
            Diagnostic::error(format!("'{text}' is not a single character"))
                .help(format!("write a string in double quotes: \"{text}\""))
                .fix(
                    "Use double quotes",
                    stop.source,
                    stop.offset..stop.source.text.len().min(stop.offset + text.len() + 2),
                    format!("\"{text}\""),
                )
        }
        LexError::ImproperSymbol(sign, _) if sign == "=" && stop.after.starts_with('<') => {
            stop.no_sign("operator", stop.offset..stop.offset + 2, "<=")
        }
        LexError::ImproperSymbol(sign, _) if sign == "=" => {
            Diagnostic::error("`=` assigns a value and cannot be used in a condition")
                .help("write `==` to compare")
                .fix("Compare with `==`", stop.source, stop.offset..stop.offset + 1, "==")
        }
        LexError::ImproperSymbol(name, why) if why.ends_with("is disabled") => {
            Diagnostic::error(format!("scripts cannot use `{name}`"))
        }
        LexError::ImproperSymbol(sign, _) => {
            let range = stop.offset..stop.offset + sign.len();
            let is_there = stop.source.text.get(range.clone()) == Some(sign.as_str());
            match OTHER_SIGNS.iter().find(|(other, _)| other == sign) {
                Some((_, instead)) if is_there => stop.no_sign("operator", range, instead),
                _ => Diagnostic::error(format!("there is no operator `{sign}`")),
            }
        }
        LexError::MalformedNumber(number) => {
            Diagnostic::error(format!("`{number}` is not a number"))
        }
        LexError::MalformedEscapeSequence(text) => {
            Diagnostic::error(format!("a string cannot contain `{text}`"))
                .help("write `\\\\` for a backslash")
        }
        other => Diagnostic::error(lowercase(&other.to_string())),
    }
}

/// Signs of other languages, and those of scripts.
const OTHER_SIGNS: &[(&str, &str)] = &[
    ("===", "=="),
    ("!==", "!="),
    (":=", "="),
    ("<-", "="),
    ("->", "=>"),
    ("::<", "::"),
    ("(*", "/*"),
    ("*)", "*/"),
];

/// Returns the error of a sign or a keyword that nothing can begin with.
fn unexpected(sign: &str, stop: &Stop<'_>) -> Diagnostic {
    let last = stop.token_before();
    let before = &stop.before[last.clone()];
    match sign {
        "else" => {
            let lonely = Diagnostic::error("there is no `if` before this `else`")
                .help("`else` follows the `}` of an `if`: `if condition { ... } else { ... }`");
            match before == ";" && stop.before[..last.start].trim_end().ends_with('}') {
                true => lonely.fix("Remove the `;` before it", stop.source, last, ""),
                false => lonely,
            }
        }
        "fn" => Diagnostic::error("a function cannot be defined inside of something else")
            .help("a function without a name is written `|x| x * 2`"),
        "let" | "const" => {
            Diagnostic::error("a variable cannot be declared inside of a list or a call")
                .help("declare it in a statement of its own before this one")
        }
        "]" if before == "[" => Diagnostic::error("an index is missing between `[` and `]`")
            .help("the first element is `[0]`"),
        ">" if before == "<" && last.end == stop.offset => {
            stop.no_sign("operator", last.start..stop.offset + 1, "!=")
        }
        _ if sign.starts_with(char::is_alphabetic) => {
            Diagnostic::error(format!("`{sign}` cannot stand here"))
        }
        "=" if OPERATORS.contains(&&*format!("{before}=")) => {
            stop.no_sign("operator", last.start..stop.offset + 1, &format!("{before}="))
        }
        _ if OPERATORS.contains(&before) => {
            Diagnostic::error(format!("a value is missing between `{before}` and `{sign}`"))
        }
        _ => Diagnostic::error(format!("`{sign}` cannot stand here")),
    }
}

/// Operators that stand between two values.
const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "%", "**", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "=", "+=", "-=",
    "*=", "/=",
];

fn unknown_operator(sign: &str, stop: &Stop<'_>) -> Diagnostic {
    let unknown = Diagnostic::error(format!("there is no operator `{sign}`"));
    match sign {
        "#" => comment_sign(stop),
        "?" => {
            let help = "write `if condition { a } else { b }`, which also gives a value";
            with_fix(unknown.help(help), conditional(stop))
        }
        "++" | "--" => {
            let instead = format!("{}= 1", &sign[..1]);
            if is_vector(stop) {
                return unknown.help(ADD_VECTOR);
            }
            if let Some(path) = read_only(stop) {
                return unknown.help(format!(
                    "`{path}` cannot be changed: count in a variable, `count {instead}`"
                ));
            }
            let unknown = unknown.help(format!("write `{instead}`"));
            // An assignment is a statement, and has no value.
            let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
            let statement = stop.line_before().rsplit([';', '{', '}']).next().unwrap_or_default();
            let is_statement = statement.trim().chars().all(is_of_name);
            if !is_statement || !stop.source.text[stop.offset..].starts_with(sign) {
                return unknown;
            }
            let span = stop.offset..stop.offset + sign.len();
            unknown.fix(format!("Write `{instead}`"), stop.source, span, format!(" {instead}"))
        }
        _ => unknown,
    }
}

/// Returns the property before the sign if scripts can only read it: of the agent, of the world, or of neighbors.
fn read_only<'a>(stop: &Stop<'a>) -> Option<&'a str> {
    let is_of_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let head = stop.before.trim_end().trim_end_matches(is_of_path);
    let path = stop.before[head.len()..].trim();
    let (root, property) = path.split_once('.')?;
    let is_read_only = match root {
        "me" => !property.starts_with("state") && !property.starts_with("vel"),
        "world" => true,
        _ => declared_value(stop, root).is_some_and(|value| {
            value.starts_with("me.neighbors(") && value.find(')') == Some(value.len() - 1)
        }),
    };
    is_read_only.then_some(path)
}

/// Returns the value with which a variable was declared before the sign.
fn declared_value<'a>(stop: &Stop<'a>, variable: &str) -> Option<&'a str> {
    let declared = format!("let {variable} = ");
    Some(stop.before.rsplit_once(&declared)?.1.split_once(';')?.0)
}

/// Returns whether the variable before the sign was declared as a vector, or as a force.
fn is_vector(stop: &Stop<'_>) -> bool {
    let Some(value) = declared_value(stop, last_word(stop.before)) else { return false };
    let call = value.split('(').next().unwrap_or_default();
    let is_force = || call.strip_prefix("me.").is_some_and(|name| steer::find(name).is_some());
    (call == "vec" || is_force()) && !value.contains(").")
}

/// Returns the error of a `#` at which the parser stopped.
fn comment_sign(stop: &Stop<'_>) -> Diagnostic {
    Diagnostic::error("`#` does not begin a comment").help("a comment begins with `//`").fix(
        "Write `//`",
        stop.source,
        stop.span(),
        "//",
    )
}

/// Returns the error of a sign that Rhai keeps for itself.
fn reserved_sign(sign: &str, stop: &Stop<'_>) -> Diagnostic {
    let begins_text = stop.before.is_empty() || stop.begins_line();
    match sign {
        "#" => comment_sign(stop),
        "--" if begins_text && stop.source.text[stop.offset..].starts_with("-- ") => {
            Diagnostic::error("`--` does not begin a comment").help("a comment begins with `//`")
        }
        "++" | "--" => Diagnostic::error(format!("there is no operator `{sign}`"))
            .help(format!("write `{}= 1` behind the variable", &sign[..1])),
        "$" => Diagnostic::error("a name cannot begin with `$`").help("leave out the `$`").fix(
            "Remove `$`",
            stop.source,
            stop.span(),
            "",
        ),
        _ => Diagnostic::error(format!("scripts have no sign `{sign}`")),
    }
}

/// Returns the error of something else in place of the name of a variable.
fn expected_name(stop: &Stop<'_>) -> Diagnostic {
    let (declares, found) = (last_word(stop.before), stop.found);
    if stop.before.trim_end_matches('(').trim_end().ends_with("for") {
        return Diagnostic::error("expected a variable after `for`")
            .help("write `for i in 0..3 { ... }`");
    }
    if found.starts_with(|c: char| c.is_alphabetic()) {
        return reserved_word(found).help(another_name(found));
    }
    if found.starts_with(|c: char| c.is_ascii_digit()) && declares == "let" {
        return Diagnostic::error("a name cannot begin with a digit");
    }
    if found == "$" {
        return reserved_sign("$", stop);
    }
    match declares {
        "let" | "const" => {
            let missing = format!("expected a name after `{declares}`, found `{found}`");
            let missing = Diagnostic::error(missing);
            match found {
                "(" | "[" => missing.help(format!("each variable needs its own `{declares}`")),
                _ => missing,
            }
        }
        _ => Diagnostic::error(format!("expected a name, found `{found}`")),
    }
}

/// Returns the error of a case of `switch` that is written as in another language.
fn wrong_case(stop: &Stop<'_>) -> Diagnostic {
    match stop.found {
        "default" => Diagnostic::error("scripts have no `default`")
            .help("write `_ => { ... }` as the last case"),
        _ => Diagnostic::error("a case of `switch` must begin with a number or a string")
            .help("a case is written `value => { ... }`; compare other values with `if`"),
    }
}

/// Returns the error of the head of a function, or of one that exists twice.
fn wrong_function(kind: &ParseErrorType, stop: &Stop<'_>) -> Diagnostic {
    match kind {
        ParseErrorType::FnMissingName => {
            let nameless = Diagnostic::error("this function has no name")
                .help("write `fn name(me) { ... }`; without a name it is written `|x| x * 2`");
            match stop.found {
                // The next function has a name.
                "fn" | "private" => nameless.at(stop.source, stop.token_before()),
                _ => nameless,
            }
        }
        ParseErrorType::FnMissingParams(name) => missing_parameters(name, stop),
        ParseErrorType::FnMissingBody(name) => missing_body(name, stop),
        ParseErrorType::FnDuplicatedParam(name, parameter) => {
            Diagnostic::error(format!("`{name}` has two parameters `{parameter}`"))
        }
        ParseErrorType::FnDuplicatedDefinition(name, _) => {
            let head = stop.after.split('(').next().unwrap_or_default();
            let behind = stop.source.text.len() - stop.after.len();
            let start = behind + head.rfind(name.as_str()).unwrap_or_default();
            let twice = Diagnostic::error(format!("the function `{name}` is defined twice"))
                .help("remove one of them, or rename it")
                .at(stop.source, start..start + name.len());
            let head = format!("fn {name}(");
            match stop.source.text.find(&head).filter(|first| *first < stop.offset) {
                Some(first) => {
                    let start = first + "fn ".len();
                    let span = start..start + name.len();
                    let place = Place { source: Arc::clone(stop.source), span };
                    twice.related(place, "the first one")
                }
                None => twice,
            }
        }
        other => Diagnostic::error(lowercase(&other.to_string())),
    }
}

/// Returns the error of a function without parentheses behind its name.
fn missing_parameters(name: &str, stop: &Stop<'_>) -> Diagnostic {
    let missing = Diagnostic::error(format!("expected `(` after the name of `{name}`"));
    let rest = &stop.source.text[stop.offset..];
    let words = rest.split('{').next().unwrap_or_default();
    let is_list = |c: char| c.is_alphanumeric() || matches!(c, '_' | ',' | ' ');
    let names = words.trim_end();
    if !words.chars().all(is_list) || words.len() == rest.len() {
        return missing.help(format!("write `fn {name}(me) {{ ... }}`"));
    }
    let parameters = if names.is_empty() { "me" } else { names };
    let head = format!("({parameters}) ");
    missing
        .help(format!("parameters stand in parentheses: `fn {name}({parameters}) {{ ... }}`"))
        .fix("Write parentheses", stop.source, stop.before.len()..stop.offset + words.len(), head)
}

/// Returns the error of a function without a block behind its parameters.
fn missing_body(name: &str, stop: &Stop<'_>) -> Diagnostic {
    let example = match name {
        "" => "`|x| { ... }`".to_owned(),
        _ => format!("`fn {name}(me) {{ ... }}`"),
    };
    let rest = &stop.source.text[stop.offset..];
    if rest.starts_with("->") {
        let declared = rest.split(['{', '\n']).next().unwrap_or_default();
        let end = stop.offset + declared.len();
        return Diagnostic::error("a function does not declare what it returns")
            .help(format!("leave out `{}`", declared.trim_end()))
            .fix("Remove it", stop.source, stop.offset..end, "");
    }
    let missing = Diagnostic::error(format!("the function `{name}` has no body"));
    match stop.found {
        ":" => {
            let colon =
                Diagnostic::error("expected `{` before the body of the function, found `:`")
                    .help(format!("what a function does stands in braces: {example}"));
            with_fix(colon, braces(stop))
        }
        // What follows may be its body, without a brace.
        found if !matches!(found, "fn" | "private" | "" | ";") && stop.begins_line() => {
            Diagnostic::error("expected `{` before the body of the function")
        }
        ";" => missing.help(format!("write `{{ ... }}` instead of `;`: {example}")),
        _ => {
            let end = stop.token_before();
            missing.help(format!("what it does stands in braces: {example}")).at(stop.source, end)
        }
    }
}
