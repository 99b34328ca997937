//! Figures as SVG files.

use std::collections::BTreeSet;
use std::path::Path;

use flockwork_engine::Diagnostic;
use flockwork_engine::load::{self, FileKind, OutputFile};

use crate::report::{FIGURE, Figure, FigureSource};

/// Files with a figure.
pub(super) const KIND: FileKind = FileKind::new("a figure", &[&[FIGURE.as_bytes()]]);

/// Writes each figure into a file in a folder, and deletes other figures there.
pub(super) fn write<'f>(
    folder: &Path,
    figures: impl IntoIterator<Item = &'f Figure>,
    source: &FigureSource,
) -> Result<(), Diagnostic> {
    load::make_folder(folder)?;
    let mut names = BTreeSet::new();
    for figure in figures {
        let stem = figure.file_stem();
        let mut name = stem.clone();
        let mut number = 1;
        // Different names may give the same name of a file.
        while !names.insert(name.to_lowercase()) {
            number += 1;
            name = format!("{stem}-{number}");
        }
        let path = folder.join(format!("{name}.svg"));
        OutputFile::create(&path, KIND)?.write_whole(figure.to_svg(source))?;
    }
    // Those of earlier results must not be taken for these.
    for path in load::files_with(folder, "svg")? {
        let name = path.file_stem().map(|name| name.to_string_lossy().to_lowercase());
        if name.is_some_and(|name| !names.contains(&name)) && OutputFile::check(&path, KIND).is_ok()
        {
            OutputFile::remove(&path, KIND)?;
        }
    }
    Ok(())
}
