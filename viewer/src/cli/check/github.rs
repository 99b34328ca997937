//! Findings and failed tests as workflow commands of GitHub Actions, which are shown beside the code.

use flockwork_engine::json::Span;
use flockwork_engine::{Diagnostic, Severity};

/// Returns a line for each finding.
pub(in super::super) fn commands(findings: &[Diagnostic]) -> String {
    findings.iter().map(|finding| command(finding, finding.code.name())).collect()
}

/// Returns the line of a finding, which is shown with a title.
pub(in super::super) fn command(finding: &Diagnostic, title: &str) -> String {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    if let Some(place) = &finding.place {
        let span = Span::new(place);
        properties.push(format!("file={}", property(&span.file)));
        properties.push(format!("line={}", span.start_line));
        properties.push(format!("endLine={}", span.end_line));
        // GitHub accepts columns only for findings within one line, and its last column is inclusive.
        if span.start_line == span.end_line {
            let last = span.end_column.saturating_sub(1).max(span.start_column);
            properties.push(format!("col={}", span.start_column));
            properties.push(format!("endColumn={last}"));
        }
    }
    properties.push(format!("title={}", property(title)));
    let mut message = finding.message.clone();
    for (place, label) in &finding.related {
        message += &format!("\n{place}: {label}");
    }
    for help in &finding.help {
        message += &format!("\nhelp: {help}");
    }
    format!("::{level} {}::{}\n", properties.join(","), data(&message))
}

/// Escapes a message, which a newline would end.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property, which a comma or a colon would end.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use flockwork_engine::diag::{Code, Source};

    #[test]
    fn what_ends_a_property_or_a_line_is_escaped() {
        let source = Source::new("a,b:c%.ron", "one two\nthree\n");
        let finding = Diagnostic::error("50 % of ::this, and\r\nmore")
            .code(Code::UnknownName)
            .at(&source, 4..7)
            .help("do: that");
        assert_eq!(
            commands(&[finding]),
            "::error file=a%2Cb%3Ac%25.ron,line=1,endLine=1,col=5,endColumn=7,title=unknown-name::50 %25 of \
             ::this, and%0D%0Amore%0Ahelp: do: that\n"
        );
        let lines = Diagnostic::note("x").at(&source, 4..10);
        assert!(
            commands(&[lines])
                .starts_with("::notice file=a%2Cb%3Ac%25.ron,line=1,endLine=2,title=")
        );
        assert_eq!(command(&Diagnostic::warning("x"), "a: b"), "::warning title=a%3A b::x\n");
    }
}
