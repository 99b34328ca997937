//! Comments behind lines that a renaming makes longer or shorter: those that were below each other stay so, as `fmt` keeps them.

use std::collections::BTreeMap;
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::format::language;
use flockwork_engine::tokens::{Language, line_start, tokens};

use super::project::Project;

/// A line that ends in a comment or consists of one.
struct CommentedLine {
    /// The bytes of the white space before the comment.
    gap: std::ops::Range<usize>,
    /// Number of the line, from 1.
    number: usize,
    /// Columns of what is before the comment: now, and with the new name.
    width: usize,
    new_width: usize,
}

impl CommentedLine {
    fn column(&self) -> usize {
        self.width + self.gap.len()
    }

    fn is_alone(&self) -> bool {
        self.width == 0
    }
}

/// Returns the white space before comments that a new name at some places would put out of line, and what has to be there.
pub(super) fn aligned_comments(
    project: &Project,
    places: &[Place],
    new: &str,
) -> Vec<(Place, String)> {
    let mut by_file: BTreeMap<_, Vec<&Place>> = BTreeMap::new();
    for place in places {
        by_file.entry(project.path_of(&place.source)).or_default().push(place);
    }
    let mut all = Vec::new();
    for (path, here) in &by_file {
        if let (Some(first), Some(language)) = (here.first(), language(path)) {
            all.extend(changed_gaps(&first.source, language, here, new));
        }
    }
    all
}

/// Returns the same for one file.
fn changed_gaps(
    source: &Arc<Source>,
    language: Language,
    places: &[&Place],
    new: &str,
) -> Vec<(Place, String)> {
    let lines = commented_lines(source, language, places, new);
    let is_below = |above: &CommentedLine, line: &CommentedLine| {
        line.number == above.number + 1
            && line.column() == above.column()
            // A comment that is alone belongs to the one above it.
            && (line.is_alone() || !above.is_alone())
    };
    let mut all = Vec::new();
    for block in lines.chunk_by(is_below).filter(|block| !block[0].is_alone()) {
        // The longest line keeps the distance that the longest one had.
        let widest = block.iter().map(|line| line.new_width).max().unwrap_or(0);
        let column = widest + block.iter().map(|line| line.gap.len()).min().unwrap_or(1);
        for line in block {
            let spaces = column - line.new_width;
            if block.len() > 1 && spaces != line.gap.len() {
                let place = Place { source: Arc::clone(source), span: line.gap.clone() };
                all.push((place, " ".repeat(spaces)));
            }
        }
    }
    all
}

/// Returns the lines of a file that have a comment until their end.
fn commented_lines(
    source: &Source,
    language: Language,
    places: &[&Place],
    new: &str,
) -> Vec<CommentedLine> {
    let text = source.text.as_str();
    let comments =
        tokens(text, language).filter(|token| text[token.span.clone()].starts_with("//"));
    let line = |start: usize| {
        let line = line_start(text, start);
        let code = text[line..start].trim_end_matches(' ');
        let end = line + code.len();
        let width = code.chars().count();
        let in_code = places.iter().filter(|place| (line..end).contains(&place.span.start));
        let new_width = in_code.fold(width, |width, place| {
            width + new.chars().count() - text[place.span.clone()].chars().count()
        });
        CommentedLine { gap: end..start, number: source.line_column(start).0, width, new_width }
    };
    comments.map(|token| line(token.span.start)).collect()
}
