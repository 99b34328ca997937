//! Findings as SARIF 2.1.0, the format of code scanning services.

use flockwork_engine::Diagnostic;
use flockwork_engine::diag::{Code, Place};
use flockwork_engine::json::{Span, severity};
use serde_json::{Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Returns the log, with a newline at the end. Its rules are all codes.
pub(super) fn sarif(findings: &[Diagnostic]) -> String {
    let rules: Vec<Value> = Code::ALL
        .iter()
        .map(|code| {
            json!({
                "id": code.name(),
                "shortDescription": { "text": code.meaning() },
            })
        })
        .collect();
    let results: Vec<Value> = findings.iter().map(result).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "flockwork",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn result(finding: &Diagnostic) -> Value {
    let mut message = finding.message.clone();
    for help in &finding.help {
        message += &format!("\nhelp: {help}");
    }
    let mut result = json!({
        "ruleId": finding.code.name(),
        "ruleIndex": Code::ALL.iter().position(|code| *code == finding.code),
        "level": severity(finding.severity),
        "message": { "text": message },
    });
    if let Some(place) = &finding.place {
        result["locations"] = json!([{ "physicalLocation": physical(place) }]);
    }
    let related = finding.related.iter().enumerate().map(|(i, (place, label))| {
        json!({
            "id": i,
            "message": { "text": label },
            "physicalLocation": physical(place),
        })
    });
    let related: Vec<Value> = related.collect();
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    result
}

fn physical(place: &Place) -> Value {
    let span = Span::new(place);
    let text = &place.source.text;
    let characters = |bytes: &str| bytes.chars().count();
    json!({
        "artifactLocation": { "uri": uri(&span.file) },
        "region": {
            "startLine": span.start_line,
            "startColumn": span.start_column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
            "charOffset": characters(&text[..span.start_byte]),
            "charLength": characters(&text[span.start_byte..span.end_byte]),
        },
    })
}

/// Returns a path as a URI: a relative path stays relative, an absolute one gets `file:`.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    } else if path.get(1..2) == Some(":") {
        uri.push_str("file:///");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(byte.into());
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        for (path, is) in [
            ("scripts/a.rhai", "scripts/a.rhai"),
            ("my scripts/ä#.rhai", "my%20scripts/%C3%A4%23.rhai"),
            ("/srv/a.ron", "file:///srv/a.ron"),
            ("C:/a.ron", "file:///C%3A/a.ron"),
        ] {
            assert_eq!(uri(path), is);
        }
    }
}
