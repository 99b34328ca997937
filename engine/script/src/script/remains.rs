//! What remains of scripts with mistakes when the parts that are wrong are left out: which findings about that hold for the scripts.

use std::ops::Range;
use std::sync::Arc;

use super::recovery::{Mistakes, is_among, moved};
use super::statements::{declarations, function_at, function_name, name};
use crate::diag::{Code, Diagnostic, Remedy, Severity, Source};
use crate::tokens::{CodeTokens, Language, Token, tokens};

/// The parts of a behavior, and of the scripts that it imports, that are left out because of mistakes in them.
#[derive(Debug, Default)]
pub struct LeftOut {
    scripts: Vec<LeftOutOfScript>,
    /// The error of a function that the behavior lacks because its name is misspelled.
    pub(super) head: Option<Diagnostic>,
}

#[derive(Debug)]
struct LeftOutOfScript {
    /// The script as it is written.
    source: Arc<Source>,
    /// The text that remains, at the same places.
    rest: String,
    parts: Vec<Range<usize>>,
    /// The names of the variables and functions whose values depend on what is left out.
    unsure: Vec<String>,
}

impl LeftOut {
    /// Notes what is left out of a script because of its mistakes. `source` is its text, which may lack other parts already.
    pub(super) fn note(&mut self, source: &Arc<Source>, mistakes: &Mistakes) {
        let known = self.scripts.iter().position(|of| of.source.name == source.name);
        let known = known.unwrap_or_else(|| {
            let (source, rest) = (Arc::clone(source), String::new());
            self.scripts.push(LeftOutOfScript {
                source,
                rest,
                parts: Vec::new(),
                unsure: Vec::new(),
            });
            self.scripts.len() - 1
        });
        self.scripts[known].add(mistakes);
    }

    /// Returns the error that a behavior lacks a function as one about the script as it is written. `None` if what is left out may be
    /// that function.
    pub(super) fn true_head(&self, wrong: Diagnostic, function: &str) -> Option<Diagnostic> {
        let from = Arc::clone(&wrong.place.as_ref()?.source);
        let Some(of) = self.scripts.iter().find(|of| of.source.name == from.name) else {
            return Some(wrong);
        };
        let names_it = |part: &Range<usize>| of.source.text[part.clone()].contains(function);
        (!of.parts.iter().any(names_it)).then(|| moved(wrong, &from, &of.source))
    }

    /// Returns the error of a function that the behavior lacks.
    pub fn head_error(&self) -> Option<Diagnostic> {
        self.head.clone()
    }

    /// Returns a finding about what remains as one about the script as it is written. `None` if it may be a consequence of what is left
    /// out.
    pub fn true_finding(&self, finding: Diagnostic) -> Option<Diagnostic> {
        let place = finding.place.as_ref().filter(|_| finding.severity == Severity::Error)?;
        let of = self.scripts.iter().find(|of| of.source.name == place.source.name);
        let is_true = match of {
            // Nothing may be left out: the names of functions can be wrong alone.
            None => {
                is_undeclared(&finding) || (self.scripts.is_empty() && is_about_value(&finding))
            }
            Some(of) => of.is_true(&finding, place.span.start),
        };
        let from = Arc::clone(&place.source);
        is_true.then(|| match of {
            Some(of) => moved(finding, &from, &of.source),
            None => finding,
        })
    }
}

impl LeftOutOfScript {
    fn add(&mut self, mistakes: &Mistakes) {
        self.rest = mistakes.rest.as_ref().unwrap_or(&self.source.text).clone();
        let rest = self.rest.as_str();
        for part in &mistakes.left_out {
            let function = function_at(rest, part.start).and_then(|of| function_name(&rest[of]));
            self.unsure.extend(function.map(str::to_owned));
        }
        self.parts.extend_from_slice(&mistakes.left_out);
        self.unsure.extend_from_slice(&mistakes.declared);
        // What is computed from something unsure is unsure, also as an argument.
        let heads = functions(rest);
        let arguments = |part: &str| -> Vec<String> {
            let called = heads.iter().filter(|(name, _)| mentions(part, &[(*name).to_owned()]));
            called.flat_map(|(_, parameters)| parameters.clone()).collect()
        };
        let written = |part: &Range<usize>| &self.source.text[part.clone()];
        self.unsure.extend(self.parts.iter().map(written).flat_map(arguments));
        loop {
            let unsure =
                statements(rest).filter(|part| mentions(&rest[part.clone()], &self.unsure));
            let is_head = |part: &Range<usize>| is_head(rest, part);
            let unsure = unsure.filter(|part| !is_head(part)).map(|part| &rest[part]);
            let names = |part: &str| [declarations(part), arguments(part)].concat();
            let mut new: Vec<String> = unsure.flat_map(names).collect();
            new.retain(|name| !self.unsure.contains(name));
            if new.is_empty() {
                break;
            }
            self.unsure.extend(new);
        }
    }

    fn is_true(&self, finding: &Diagnostic, at: usize) -> bool {
        if self.parts.iter().any(|part| part.contains(&at)) {
            return false;
        }
        let statement = || statements(&self.rest).find(|part| part.contains(&at));
        let is_sure = || statement().is_some_and(|part| !mentions(&self.rest[part], &self.unsure));
        is_undeclared(finding) || (is_about_value(finding) && is_sure())
    }
}

/// Returns whether a part of a text is the head of a function.
fn is_head(text: &str, part: &Range<usize>) -> bool {
    let mut words = tokens(&text[part.clone()], Language::Rhai).filter(|token| !token.is_comment());
    let word = words.next().map(|token| &text[part.clone()][token.span]);
    matches!(word, Some("fn" | "private"))
}

/// Returns the names of the functions of a script, each with those of its parameters besides the agent.
fn functions(text: &str) -> Vec<(&str, Vec<String>)> {
    let heads = statements(text).filter(|part| is_head(text, part)).map(|part| &text[part]);
    let of = |head| {
        let code = CodeTokens::new(head, Language::Rhai);
        let name = (0..code.all.len()).find(|&index| code.before(index) == "fn")?;
        let parameters = (name + 1..code.all.len()).filter(|&index| code.is_word(index));
        let parameters = parameters.map(|index| code.get(index).to_owned());
        Some((code.get(name), parameters.filter(|name| name != "me").collect()))
    };
    heads.filter_map(of).collect()
}

/// Returns whether a finding is about the value of an expression.
fn is_about_value(finding: &Diagnostic) -> bool {
    matches!(
        finding.code,
        Code::UnknownName | Code::WrongType | Code::WrongArguments | Code::ReadOnly
    )
}

/// Returns whether a finding is about something that the scenario does not declare, which does not depend on the script.
fn is_undeclared(finding: &Diagnostic) -> bool {
    finding.remedies.0.iter().any(|remedy| matches!(remedy, Remedy::Declare { .. }))
}

fn mentions(part: &str, names: &[String]) -> bool {
    let code = CodeTokens::new(part, Language::Rhai);
    let mut words = (0..code.all.len()).filter(|&index| code.is_word(index));
    words.any(|index| is_among(&name(&code, index), names))
}

/// Returns the parts of a script between the signs that begin or end statements and blocks.
fn statements(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_boundary = |token: &Token| matches!(&text[token.span.clone()], ";" | "{" | "}");
    let mut starts = vec![0];
    starts.extend(tokens(text, Language::Rhai).filter(is_boundary).map(|token| token.span.end));
    let ends: Vec<usize> = starts[1..].iter().copied().chain([text.len()]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| start..end)
}
