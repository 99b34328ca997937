//! Finds where numbers and sums are written in a script, for tools that edit it.

use std::ops::Range;
use std::sync::Arc;

use rhai::{ASTNode, Expr, Position, Stmt};

use super::compile::Script;
use crate::diag::Place;

impl Script {
    /// Returns where numbers are written, in order, without those of imported scripts. A number may include its sign.
    pub fn numbers(&self) -> Vec<Place> {
        self.places(number, |node| match node {
            ASTNode::Expr(Expr::FloatConstant(_, at) | Expr::IntegerConstant(_, at)) => Some(*at),
            _ => None,
        })
    }

    /// Returns where a `+` or `-` is between two values, in order, without those of imported scripts.
    pub fn sums(&self) -> Vec<Place> {
        let sign = |text: &str| usize::from(text.starts_with(['+', '-']));
        self.places(sign, |node| match node {
            // A sum that is a statement of its own is not an expression in the syntax tree.
            ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at))
                if call.args.len() == 2 && ["+", "-"].contains(&call.name.as_str()) =>
            {
                Some(*at)
            }
            _ => None,
        })
    }

    /// Returns the places of the nodes of the syntax tree that `of` selects. `length` returns the length in bytes of
    /// the token that a string starts with.
    fn places(
        &self,
        length: impl Fn(&str) -> usize,
        of: impl Fn(&ASTNode<'_>) -> Option<Position>,
    ) -> Vec<Place> {
        let mut positions = Vec::new();
        self.ast.walk(&mut |path| {
            positions.extend(path.last().and_then(&of));
            true
        });
        positions.sort_unstable();
        positions.dedup();
        let text = &self.source.text;
        let place = |at: Position| -> Option<Range<usize>> {
            let start = self.source.offset(at.line()?, at.position()?);
            let end = start + length(&text[start..]);
            (end > start).then_some(start..end)
        };
        positions
            .into_iter()
            .filter_map(place)
            .map(|span| Place { source: Arc::clone(&self.source), span })
            .collect()
    }
}

/// Returns the length in bytes of the number that a string starts with.
fn number(text: &str) -> usize {
    let is_digit = |c: char| c.is_ascii_digit();
    let digits = |from: usize| {
        let end = text[from..].find(|c| !is_digit(c) && c != '_');
        end.map_or(text.len(), |end| from + end)
    };
    let mut end = digits(usize::from(text.starts_with('-')));
    if text[end..].starts_with('.') && text[end + 1..].starts_with(is_digit) {
        end = digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let signed = end + 1 + usize::from(text[end + 1..].starts_with(['+', '-']));
        if text[signed..].starts_with(is_digit) {
            end = digits(signed);
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use crate::diag::Place;
    use crate::script::{Script, tests::scripts};

    #[test]
    fn numbers_and_sums_are_found_where_they_are_written() {
        let text = "const FAR = 1e2;\nfn steer(me) {\n    let a = -3; // ä 4 + 5\n    \
                    -2 * me.seek(vec(1.5, a - 1_0)) + FAR * me.wander()\n}\n";
        let script = Script::compile("a", &scripts(&[("a", text)])).unwrap();
        let written = |places: Vec<Place>| -> Vec<String> {
            let text = |one: Place| one.source.text[one.span].to_owned();
            places.into_iter().map(text).collect()
        };
        assert_eq!(written(script.numbers()), ["1e2", "-3", "-2", "1.5", "1_0"]);
        assert_eq!(written(script.sums()), ["-", "+"]);
    }
}
