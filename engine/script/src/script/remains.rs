//! What remains of scripts with mistakes when the parts that are wrong are left out: which findings about that hold for the scripts.

use std::ops::Range;
use std::sync::Arc;

use super::recovery::{Mistakes, declarations, function_at, function_name, is_among, moved};
use crate::diag::{Code, Diagnostic, Remedy, Severity, Source};
use crate::tokens::{Language, Token, TokenKind, tokens};

/// The parts of a behavior, and of the scripts that it imports, that are left out because of mistakes in them.
#[derive(Debug, Default)]
pub struct LeftOut(Vec<LeftOutOfScript>);

#[derive(Debug)]
struct LeftOutOfScript {
    /// The script as it is written.
    source: Arc<Source>,
    parts: Vec<Range<usize>>,
    /// The names of the variables and functions whose values depend on what is left out.
    unsure: Vec<String>,
}

impl LeftOut {
    /// Notes what is left out of a script because of its mistakes. `source` is its text, which may lack other parts already.
    pub(super) fn note(&mut self, source: &Arc<Source>, mistakes: &Mistakes) {
        let known = self.0.iter().position(|of| of.source.name == source.name);
        let known = known.unwrap_or_else(|| {
            let (source, parts, unsure) = (Arc::clone(source), Vec::new(), Vec::new());
            self.0.push(LeftOutOfScript { source, parts, unsure });
            self.0.len() - 1
        });
        self.0[known].add(mistakes);
    }

    /// Returns a finding about what remains as one about the script as it is written. `None` if it may be a consequence of what is left
    /// out.
    pub fn true_finding(&self, finding: Diagnostic) -> Option<Diagnostic> {
        let place = finding.place.as_ref().filter(|_| finding.severity == Severity::Error)?;
        let of = self.0.iter().find(|of| of.source.name == place.source.name);
        let is_true = match of {
            // Nothing may be left out: the names of functions can be wrong alone.
            None => is_undeclared(&finding) || (self.0.is_empty() && is_about_value(&finding)),
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
        let text = &self.source.text;
        for part in &mistakes.left_out {
            let function = function_at(text, part.start).and_then(|of| function_name(&text[of]));
            self.unsure.extend(function.map(str::to_owned));
        }
        self.parts.extend_from_slice(&mistakes.left_out);
        self.unsure.extend_from_slice(&mistakes.declared);
        // What is computed from something unsure is unsure.
        loop {
            let statements = statements(text).map(|part| &text[part]);
            let unsure = statements.filter(|one| mentions(one, &self.unsure));
            let mut new: Vec<String> = unsure.flat_map(declarations).collect();
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
        let text = &self.source.text;
        let is_sure = || {
            // The types of what other functions get are those of the calls that remain.
            let function = function_at(text, at).and_then(|of| function_name(&text[of]));
            let statement = statements(text).find(|part| part.contains(&at));
            matches!(function, Some("steer" | "init"))
                && statement.is_some_and(|part| !mentions(&text[part], &self.unsure))
        };
        is_undeclared(finding) || (is_about_value(finding) && is_sure())
    }
}

/// Returns whether a finding is about the value of an expression.
fn is_about_value(finding: &Diagnostic) -> bool {
    matches!(finding.code, Code::UnknownName | Code::WrongType | Code::WrongArguments)
}

/// Returns whether a finding is about something that the scenario does not declare, which does not depend on the script.
fn is_undeclared(finding: &Diagnostic) -> bool {
    finding.remedies.0.iter().any(|remedy| matches!(remedy, Remedy::Declare { .. }))
}

fn mentions(part: &str, names: &[String]) -> bool {
    let mut words = tokens(part, Language::Rhai).filter(|token| token.kind == TokenKind::Word);
    words.any(|word| is_among(&part[word.span.clone()], names))
}

/// Returns the parts of a script between the signs that begin or end statements and blocks.
fn statements(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_boundary = |token: &Token| matches!(&text[token.span.clone()], ";" | "{" | "}");
    let mut starts = vec![0];
    starts.extend(tokens(text, Language::Rhai).filter(is_boundary).map(|token| token.span.end));
    let ends: Vec<usize> = starts[1..].iter().copied().chain([text.len()]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| start..end)
}
