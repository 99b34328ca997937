//! The page about a comparison: its table, and for each measure both versions seed by seed.
//!
//! It needs nothing but a browser, and loads nothing.

use std::fmt::Write;

use super::columns::{CHART, plain};
use super::escape;
use super::figures::Figure;
use super::sweep::{PageTable, page, write_table};
use crate::chart::{Axis, Chart, Shape};
use crate::draw::LIGHT;

/// The beginning of the page, which tells it from others.
pub(crate) const COMPARE_PAGE: &str = "<!DOCTYPE html><!-- flockwork compare -->";

/// The content of the page.
pub(crate) struct ComparePage {
    /// The name of the comparison.
    pub title: String,
    /// A and B.
    pub versions: Vec<String>,
    /// Sentences about it.
    pub notes: Vec<String>,
    /// The table; its first row has the names of the columns.
    pub table: PageTable,
    /// For each measure, its name and the values of A and B for each seed.
    pub measures: Vec<(String, Vec<[f64; 2]>)>,
}

impl ComparePage {
    /// Returns the page.
    pub(crate) fn to_html(&self) -> String {
        let mut body = String::new();
        for note in &self.notes {
            let _ = writeln!(body, "<p>{}</p>", escape(note));
        }
        write_table(&mut body, &self.table);
        body.push_str(
            "<h2>Seed by seed</h2>\n<p class=\"note\">Each dot is a seed. Above the line, the value is higher in B.</p>\n\
             <div class=\"charts\">\n",
        );
        for figure in self.figures() {
            figure.write_html(&mut body);
        }
        body.push_str("</div>\n");
        page(&self.title, &body).replacen("<!DOCTYPE html>", COMPARE_PAGE, 1)
    }
}

impl ComparePage {
    /// Returns a figure for each measure that has values.
    pub(crate) fn figures(&self) -> Vec<Figure> {
        let figure = |(name, pairs): &(String, Vec<[f64; 2]>)| Figure {
            name: name.clone(),
            data: "values.csv",
            panels: vec![(String::new(), chart(name, pairs))],
            caption: String::new(),
            description: format!(
                "{name} in A and in B: each dot is a seed, and above the line the value is higher in B."
            ),
        };
        self.measures.iter().filter(|(_, pairs)| !pairs.is_empty()).map(figure).collect()
    }
}

/// Returns a chart with a dot for each seed: its value in A, and in B.
fn chart(name: &str, pairs: &[[f64; 2]]) -> Chart {
    let axis =
        |label: &str| Axis::around(format!("{name} in {label}"), pairs.iter().flatten().copied());
    let (x, y) = (axis("A"), axis("B"));
    let line = Shape::Line(vec![(x.from, y.from), (x.to, y.to)]);
    let dots = Shape::Points(pairs.iter().map(|[a, b]| (*a, *b)).collect());
    Chart { size: CHART, x, y, series: vec![plain(LIGHT.edge, line), plain(LIGHT.group(0), dots)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_loads_nothing_and_escapes_names() {
        let page = ComparePage {
            title: "<a>".into(),
            versions: Vec::new(),
            notes: vec!["1 & 2".into()],
            table: vec![vec!["x<".into()], vec!["3".into()]],
            measures: vec![("y<".into(), vec![[1.0, 2.0], [2.0, 1.5]])],
        };
        let html = page.to_html();
        for part in ["&lt;a&gt;", "1 &amp; 2", "<th>x&lt;</th>", "<td>3</td>", "y&lt; in A"] {
            assert!(html.contains(part), "{part}");
        }
        assert_eq!(html.matches("<circle").count(), 2);
        for loading in ["src=", "href=", "url(http", "<script"] {
            assert!(!html.contains(loading), "{loading}");
        }
    }
}
