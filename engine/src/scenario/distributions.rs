//! Distributions where numbers can be written: in bodies and params.

use std::ops::Range;
use std::sync::Arc;

use ron::error::{Error, Position, Span, SpannedError};

use super::findings::Findings;
use super::options;
use super::ordered::MayFail;
use super::spanned::{ReadText, Spanned};
use super::text_parts::walk;
use crate::distribution::{Distribution, DistributionSpec};
use crate::schema::{Described, ReadSetting, Shape};
use crate::tokens::ron_tree::{RonNode, RonTree};
use crate::world::{Body, BodyDraw, BodyDraws, BodySpec};

/// A distribution, in place of a number.
#[derive(Debug)]
pub(super) struct DrawnNumber(pub(super) Distribution);

/// A body as it is written, with the numbers that are drawn for each agent.
#[derive(Debug)]
pub(super) struct WrittenBody {
    /// The body. Numbers that are drawn are 1 in it.
    spec: BodySpec,
    /// The ways to the numbers that are drawn, and what they are drawn from.
    draws: Vec<(Vec<Arc<str>>, Spanned<DrawnNumber>)>,
}

/// Returns whether a value is a name with brackets, as a distribution is and no number can be.
pub(super) fn has_name_and_brackets(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    rest.len() < text.len()
        && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && rest.trim_start().starts_with('(')
}

impl ReadText for DrawnNumber {
    fn read_text(text: &str) -> Result<Self, SpannedError> {
        let spec: DistributionSpec = options().from_str(text)?;
        spec.build().map(Self).map_err(|problem| {
            let tree = RonTree::new(text);
            let span = walk(&tree, &problem.path).map_or(0..text.len(), RonNode::span);
            let span = Span { start: position(text, span.start), end: position(text, span.end) };
            SpannedError { code: Error::Message(problem.message), span }
        })
    }
}

/// Returns the line and the column of an offset, both counted from 1.
fn position(text: &str, offset: usize) -> Position {
    let before = &text[..offset];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    Position { line: before.matches('\n').count() + 1, col: before[line..].chars().count() + 1 }
}

impl ReadText for WrittenBody {
    fn read_text(text: &str) -> Result<Self, SpannedError> {
        let tree = RonTree::new(text);
        let (mut rest, mut draws) = (String::new(), Vec::new());
        let mut done = 0;
        for node in tree.nodes() {
            let Range { start, end } = node.span();
            let Some(path) = path_of_draw(node).filter(|_| start >= done) else { continue };
            rest.push_str(&text[done..start]);
            // A number takes its place, so that all other places stay the same.
            rest.push('1');
            let blank = |c| if c == '\n' { c } else { ' ' };
            rest.extend(text[start..end].chars().skip(1).map(blank));
            draws.push((path, Spanned::of_text(&text[start..end])));
            done = end;
        }
        rest.push_str(&text[done..]);
        Ok(Self { spec: options().from_str(&rest)?, draws })
    }
}

/// Returns the way to a distribution in a body: to a name with brackets in place of a number. `None` for other values.
fn path_of_draw(node: RonNode<'_, '_>) -> Option<Vec<Arc<str>>> {
    node.opening()?;
    node.name()?;
    let mut path: Vec<&str> = vec![node.key()?];
    let mut above = node.parent()?;
    while let Some(parent) = above.parent() {
        path.insert(0, above.key()?);
        above = parent;
    }
    let is_number = BodySpec::set_number(&mut Body::default(), &path, 1.0);
    is_number.then(|| path.into_iter().map(Arc::from).collect())
}

impl Described for WrittenBody {
    fn shape() -> Shape {
        BodySpec::shape()
    }
}

impl MayFail for WrittenBody {
    fn has_failed(&self) -> bool {
        self.draws.iter().any(|(_, drawn)| drawn.has_failed())
    }
}

/// Returns the body that is written, with the parts of `other` that it leaves out.
pub(super) fn build_body(
    findings: &mut Findings<'_>,
    written: Option<&Spanned<WrittenBody>>,
    other: &BodyDraws,
) -> BodyDraws {
    let Some(written) = written.and_then(|written| findings.read(written)) else {
        return other.clone();
    };
    let is_left_out =
        |draw: &&BodyDraw| draw.path.first().is_none_or(|name| !written.spec.is_written(name));
    let mut draws: Vec<BodyDraw> = other.draws.iter().filter(is_left_out).cloned().collect();
    for (path, drawn) in &written.draws {
        let Some(DrawnNumber(of)) = findings.read(drawn) else { continue };
        let draw = BodyDraw { path: path.clone(), of: Arc::new(of.clone()) };
        match draw.problem() {
            Some(wrong) => findings.add(wrong, findings.span(drawn)),
            None => draws.push(draw),
        }
    }
    let mut built = BodyDraws { body: written.spec.or(&other.body), draws };
    built.body = built.middle();
    built
}
