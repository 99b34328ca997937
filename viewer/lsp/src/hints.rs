//! Inlay hints: the lines that keep a behavior on the interpreter.

use std::collections::BTreeMap;

use lsp_types::{InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip, Position};

use super::project::{Project, file};

/// Returns the hints in a part of a file.
pub(super) fn hints(project: &mut Project, params: InlayHintParams) -> Option<Vec<InlayHint>> {
    project.check_first();
    let path = file(&params.text_document.uri)?;
    let mut reasons: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (finding, _) in project.notes() {
        let place = finding.place.as_ref().filter(|place| {
            finding.code.is_about_speed()
                && project.path_of(&place.source) == path
                && project.is_current(&place.source)
        });
        let Some(place) = place else { continue };
        let line = project.range(place).start.line;
        if (params.range.start.line..=params.range.end.line).contains(&line) {
            let lines: Vec<&str> = std::iter::once(&finding.message)
                .chain(&finding.help)
                .map(String::as_str)
                .collect();
            let text = lines.join("\n");
            let all = reasons.entry(line).or_default();
            if !all.contains(&text) {
                all.push(text);
            }
        }
    }
    let source = project.read(&path).ok()?;
    let lines: Vec<&str> = source.text.lines().collect();
    let hint = |(line, reasons): (u32, Vec<String>)| {
        let text = lines.get(line as usize).copied().unwrap_or_default().trim_end();
        let end: usize = text.chars().map(char::len_utf16).sum();
        InlayHint {
            position: Position { line, character: u32::try_from(end).unwrap_or(u32::MAX) },
            label: InlayHintLabel::String("interpreted: slower".to_owned()),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(reasons.join("\n\n"))),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        }
    };
    Some(reasons.into_iter().map(hint).collect())
}
