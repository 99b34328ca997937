//! The comments at the beginning of the files of a session: what their authors say of the model.

use crate::diag::Source;

use super::Session;

/// The comment at the beginning of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileComment {
    /// The path of the file.
    pub file: String,
    /// Its paragraphs, each in one line.
    pub paragraphs: Vec<String>,
}

impl Session {
    /// Returns the comments at the beginning of the scenario and of its scripts, as far as they have some.
    pub fn comments(&self) -> Vec<FileComment> {
        let files = self.newest_files();
        let all = [&files.scenario].into_iter().chain(files.scripts.values());
        let comments = all.map(|source| FileComment {
            file: source.name.clone(),
            paragraphs: paragraphs(source),
        });
        comments.filter(|comment| !comment.paragraphs.is_empty()).collect()
    }
}

/// Returns whether a line of a comment is for a tool, such as `render: --to 400`, and describes nothing.
fn is_directive(line: &str) -> bool {
    let parts = line.split_once(": --");
    parts.is_some_and(|(tool, _)| tool.chars().all(|letter| letter.is_ascii_lowercase()))
}

/// Returns the paragraphs of the comment at the beginning of a file, without lines for tools. Lines that are indented stay lines of
/// their own.
fn paragraphs(source: &Source) -> Vec<String> {
    let lines = source.text.trim_start_matches('\u{feff}').lines().map(str::trim_start);
    let mut all: Vec<String> = Vec::new();
    let mut is_new = true;
    for line in lines.map_while(|line| line.strip_prefix("//")) {
        let line = line.trim_start_matches(['/', '!']);
        let line = line.strip_prefix(' ').unwrap_or(line).trim_end();
        let is_indented = line.starts_with(' ');
        match all.last_mut() {
            _ if line.is_empty() || is_directive(line) => {}
            Some(last) if !is_new && !is_indented => {
                last.push(' ');
                last.push_str(line);
            }
            _ => all.push(line.to_owned()),
        }
        is_new = line.is_empty() || is_indented || is_directive(line);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_paragraph_are_joined() {
        let of = |text: &str| paragraphs(&Source::new("a.ron", text));
        let text = "// A flock\n// of birds.\n//\n// To try:\n//   more of them\n//   fewer\n\n// not this\n()";
        assert_eq!(of(text), ["A flock of birds.", "To try:", "  more of them", "  fewer"]);
        assert_eq!(of("/// Doc.\n//! Too.\n()"), ["Doc. Too."]);
        // Caught: the options of a picture were shown as what the scenario is about.
        assert_eq!(of("// render: --to 400\n// Wolves.\n()"), ["Wolves."]);
        assert!(of("// render: --to 400\n()").is_empty());
        assert_eq!(of("// A tool: --to is an option.\n()"), ["A tool: --to is an option."]);
        assert!(of("(\n// inside\n)").is_empty() && of("").is_empty());
    }
}
