//! The project in the page of one file: a scenario, its scripts and how it is run, as JSON inside of HTML.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::load::{SCENARIO_EXTENSION, SCENARIOS_FOLDER, SCRIPT_EXTENSION, SCRIPTS_FOLDER};
use crate::runner::Options;

/// Where a page has its project.
const BEGIN: &str = "<script id=\"flockwork-project\" type=\"application/json\">";
const END: &str = "</script>";

/// What the page reads.
#[derive(Debug, Serialize)]
pub struct PageProject {
    scenario: String,
    files: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    params: BTreeMap<String, String>,
}

impl PageProject {
    /// Returns a scenario, by the name of its file without its ending, with the names and texts of its scripts.
    pub fn new<'t>(
        stem: &str,
        scenario: &str,
        scripts: impl IntoIterator<Item = (&'t str, &'t str)>,
        options: &Options,
    ) -> Self {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-+.".contains(letter);
        let stem: String = stem.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let path = format!("{SCENARIOS_FOLDER}/{stem}.{SCENARIO_EXTENSION}");
        let scripts = scripts.into_iter().map(|(name, text)| {
            (format!("{SCRIPTS_FOLDER}/{name}.{SCRIPT_EXTENSION}"), text.to_owned())
        });
        let files = scripts.chain([(path.clone(), scenario.to_owned())]).collect();
        let params = options.settings.iter().map(|one| {
            let group = one.group.as_ref().map(|group| format!("{group}.")).unwrap_or_default();
            (format!("{group}{}", one.param), one.value.clone())
        });
        Self { scenario: path, files, seed: options.seed, params: params.collect() }
    }

    /// Returns a page with this project in place of the one that it has; `None` if the text is no such page.
    pub fn fill(&self, page: &str) -> Option<String> {
        let project = serde_json::to_string(self).unwrap_or_default();
        // Nothing in a text may end the element.
        let project = project.replace('<', "\\u003c");
        let from = page.find(BEGIN)? + BEGIN.len();
        let length = page[from..].find(END)?;
        Some(format!("{}{project}{}", &page[..from], &page[from + length..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_takes_the_place_of_another_and_ends_no_element() {
        let page = format!("<p>{BEGIN}{{}}{END}<script>1</script>");
        let script = "// </script> in a text\nfn steer(me) { me.wander() }";
        let options = Options { seed: Some(3), ..Options::default() };
        let project = PageProject::new("a b", "(groups: {})", [("fly", script)], &options);
        let filled = project.fill(&page).unwrap();
        let again = project.fill(&filled).unwrap();
        assert_eq!(filled, again);
        let inner = filled.strip_prefix(&format!("<p>{BEGIN}")).unwrap();
        let inner = inner.strip_suffix(&format!("{END}<script>1</script>")).unwrap();
        let read: serde_json::Value = serde_json::from_str(inner).unwrap();
        assert_eq!(read["scenario"], "scenarios/a_b.ron");
        assert_eq!(read["files"]["scripts/fly.rhai"], script);
        assert_eq!(read["seed"], 3);
        assert_eq!(project.fill("<p>"), None);
    }
}
