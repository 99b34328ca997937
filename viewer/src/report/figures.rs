//! Figures: charts with captions, in a page, or alone as SVG files that can be read without the page.

use std::fmt::Write;

use super::escape;
use crate::chart::{Chart, LETTER};
use crate::draw::LIGHT;

/// The beginning of a file with a figure.
pub(crate) const FIGURE: &str = "<!-- A figure by flockwork. -->\n<svg ";

/// Number of panels beside each other.
const COLUMNS: usize = 3;

/// The width of each of several panels, so that all of them are readable on a screen of 1400 pixels.
const PANEL: f64 = 440.0;

/// Space around a figure in a file, in pixels.
const SPACE: f64 = 12.0;

/// Height of a title or a line of the caption, in pixels.
const LINE: f64 = 18.0;

/// Size of the letters of a caption, in pixels.
const CAPTION: f64 = 12.0;

/// What figures are made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct FigureSource {
    /// The experiment, its runs, seeds and version, in a short sentence.
    pub short: String,
    /// All of it, with the hashes of the files.
    pub long: String,
}

/// One or several charts with a caption.
pub(crate) struct Figure {
    /// The name, from which that of its file is made.
    pub name: String,
    /// The tables that it is made of.
    pub data: &'static str,
    /// The charts, each with a title, which may be empty.
    pub panels: Vec<(String, Chart)>,
    /// What must be known to read it, beside the description; may be empty.
    pub caption: String,
    /// What it shows, in a sentence.
    pub description: String,
}

impl Figure {
    /// Writes it into a page.
    pub(super) fn write_html(&self, body: &mut String) {
        let many = self.panels.len() > 1;
        if many {
            body.push_str("<div class=\"panels\">\n");
        }
        for (index, (title, chart)) in self.panels.iter().enumerate() {
            let is_last = index + 1 == self.panels.len();
            let text = if is_last { self.caption.as_str() } else { "" };
            let texts = [title.as_str(), text].into_iter().filter(|text| !text.is_empty());
            let text = texts.map(escape).collect::<Vec<_>>().join("<br>");
            let caption = match text.as_str() {
                "" => String::new(),
                text => format!("<figcaption>{text}</figcaption>"),
            };
            let _ = writeln!(body, "<figure>{}{caption}</figure>", chart.to_svg());
        }
        if many {
            body.push_str("</div>\n");
        }
    }

    /// Returns the name of its file, without the ending.
    pub(crate) fn file_stem(&self) -> String {
        let is_plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
        let mut stem: String =
            self.name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        while stem.contains("__") {
            stem = stem.replace("__", "_");
        }
        stem.trim_matches(['_', '.']).to_owned()
    }

    /// Returns it as an SVG file that can be read alone.
    pub(crate) fn to_svg(&self, source: &FigureSource) -> String {
        let (width, height) = self.panels.first().map_or((1.0, 1.0), |(_, chart)| chart.size);
        let scale = if self.panels.len() > 1 { PANEL / width } else { 1.0 };
        let size = (scale * width, scale * height);
        let columns = self.panels.len().clamp(1, COLUMNS);
        let rows = self.panels.len().div_ceil(columns);
        let has_titles = self.panels.iter().any(|(title, _)| !title.is_empty());
        let above = if has_titles { LINE } else { 0.0 };
        let (step_x, step_y) = (size.0 + SPACE, size.1 + SPACE + above);
        let width = SPACE + step_x * columns as f64;
        let lines = wrapped(&self.text(source), width - 2.0 * SPACE);
        let charts_end = SPACE + step_y * rows as f64;
        let height = charts_end + LINE * lines.len() as f64 + SPACE;
        let mut svg = format!(
            "{FIGURE}xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONTS}\" fill=\"{ink}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{ground}\"/>\n",
            escape(&self.name),
            escape(&format!("{} {} Data: {}.", self.description, source.long, self.data)),
            ink = LIGHT.ink.css(),
            ground = LIGHT.ground.css(),
        );
        for (index, (title, chart)) in self.panels.iter().enumerate() {
            let x = SPACE + step_x * (index % columns) as f64;
            let y = SPACE + step_y * (index / columns) as f64;
            let (width, height) = size;
            if !title.is_empty() {
                let (middle, baseline) = (x + 0.5 * width, y + 0.75 * LINE);
                let _ = writeln!(
                    svg,
                    "<text x=\"{middle}\" y=\"{baseline}\" font-size=\"14\" text-anchor=\"middle\">{}</text>",
                    escape(title)
                );
            }
            let y = y + above;
            let place = format!("<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" ");
            let chart = chart.to_svg().replacen("<svg ", &place, 1);
            // It has the fonts of the whole figure.
            svg.push_str(&chart.replacen(" font-family=\"sans-serif\"", "", 1));
        }
        for (index, line) in lines.iter().enumerate() {
            let y = charts_end + LINE * (index as f64 + 0.75);
            let _ = writeln!(
                svg,
                "<text x=\"{SPACE}\" y=\"{y}\" font-size=\"{CAPTION}\">{}</text>",
                escape(line)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Returns the text below it.
    fn text(&self, source: &FigureSource) -> String {
        let caption = match self.caption.as_str() {
            "" => String::new(),
            caption => format!(" ({caption})"),
        };
        let description = self.description.trim_end_matches('.');
        format!("{description}{caption}. {} Data: {}.", source.short, self.data)
    }
}

/// Fonts that are on most machines, and that programs for papers know.
const FONTS: &str = "Helvetica, Arial, 'Liberation Sans', sans-serif";

/// Breaks a text into lines that fit into a width.
fn wrapped(text: &str, width: f64) -> Vec<String> {
    let most = (width / (CAPTION * LETTER)) as usize;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Axis;

    #[test]
    fn a_figure_alone_says_what_it_is_and_loads_nothing() {
        let axis = |label: &str| Axis::around(label.into(), [0.0, 1.0].into_iter());
        let chart = || Chart {
            size: (480.0, 300.0),
            x: axis("time (s)"),
            y: axis("spread <m>"),
            series: Vec::new(),
        };
        let figure = Figure {
            name: "a/b: <c> (m)".into(),
            data: "points.csv",
            panels: (0..5).map(|panel| (format!("p{panel}"), chart())).collect(),
            caption: "light & dark".into(),
            description: "A over b.".into(),
        };
        assert_eq!(figure.file_stem(), "a_b_c_m");
        let source = FigureSource {
            short: "60 runs of watch, seeds 7 to 11.".into(),
            long: "Made from 1234.".into(),
        };
        let svg = figure.to_svg(&source);
        assert!(svg.starts_with(FIGURE));
        for part in [
            "<title>a/b: &lt;c&gt; (m)</title>",
            "<desc>A over b. Made from 1234. Data: points.csv.</desc>",
            "A over b (light &amp; dark). 60 runs of watch, seeds 7 to 11. Data: points.csv.",
            "spread &lt;m&gt;",
            ">p4</text>",
        ] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
        // Three panels beside each other, two below.
        assert!(svg.contains("width=\"1368\""), "{svg}");
        assert_eq!(svg.matches("font-family").count(), 1);
        assert_eq!(svg.matches("<svg ").count(), 6);
        assert!(!svg.contains("href"));
    }

    #[test]
    fn captions_are_broken_between_words() {
        let text = "one two three four five six seven eight nine ten";
        let lines = wrapped(text, 100.0);
        assert!(lines.len() > 2 && lines.iter().all(|line| line.len() <= 16), "{lines:?}");
        assert_eq!(lines.join(" "), text);
    }
}
