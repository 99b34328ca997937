//! One page for a browser, with the engine, a scenario and its scripts in it.

use std::path::Path;

use flockwork_engine::load;
use flockwork_engine::{Diagnostic, Diagnostics, FileKind, Options};

use crate::page_project::page_project;

/// The page without a project, if the program was built with it.
#[cfg(has_page)]
const PAGE: Option<&str> = Some(include_str!(env!("FLOCKWORK_PAGE_FILE")));
#[cfg(not(has_page))]
const PAGE: Option<&str> = None;

/// The page may be replaced.
pub(super) const KIND: FileKind =
    FileKind::new("a page with a scenario", &[&[b"<!doctype html><!-- flockwork page -->"]]);

/// Returns the page of a scenario. `engine` is a page without a project, in place of the one in this program.
pub(super) fn page(
    scenario: &Path,
    options: &Options,
    engine: Option<&Path>,
) -> Result<String, Diagnostics> {
    let page = match (engine, PAGE) {
        (Some(path), _) => load::read(path)?.text.clone(),
        (None, Some(page)) => page.to_owned(),
        (None, None) => {
            return Err(Diagnostic::error("this program was built without the page for browsers")
                .help("`viewer/web/build` in its repository makes the page: name the file with `--engine target/web/page.html`")
                .into());
        }
    };
    page_project(scenario, options)?.fill(&page).ok_or_else(|| {
        let name = engine.map(|path| path.display().to_string()).unwrap_or_default();
        Diagnostic::error(format!("{name} is no page of Flockwork")).into()
    })
}
