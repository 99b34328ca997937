//! XML files: reading elements, with a span for every error.

use std::ops::Range;
use std::sync::Arc;

use flockwork_engine::Diagnostic;
use flockwork_engine::diag::Source;
use roxmltree::{Document, Error, Node, ParsingOptions};

/// The largest number of elements, attributes, text nodes and comments in a file.
const MAX_NODES: u32 = 2_000_000;

/// The largest number of attributes of one element. The reader compares each with all others.
const MAX_ATTRIBUTES: usize = 256;

/// The largest number of declarations of namespaces in a file. Elements copy those around them.
const MAX_NAMESPACES: usize = 1000;

/// The largest coordinate or length. Beyond it, positions are no longer exact to a few centimeters.
const MAX_NUMBER: f64 = 1e6;

/// The text of an XML file, in which the reader finds an XML declaration only where it may be.
pub(super) struct XmlText<'s> {
    source: &'s Arc<Source>,
    text: String,
}

/// Elements of a file.
#[derive(Clone, Copy)]
pub(super) struct Xml<'s> {
    pub(super) source: &'s Arc<Source>,
}

impl<'s> XmlText<'s> {
    /// Takes a file. Some programs write a comment before the XML declaration, which is not allowed: such a
    /// declaration is read as blanks.
    pub(super) fn new(source: &'s Arc<Source>) -> Self {
        let mut text = source.text.clone();
        if let Some(range) = late_declaration(&text) {
            text.replace_range(range.clone(), &" ".repeat(range.len()));
        }
        Self { source, text }
    }

    /// Reads the elements.
    pub(super) fn parse(&self) -> Result<Document<'_>, Diagnostic> {
        self.check_size()?;
        let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
        Document::parse_with_options(&self.text, options).map_err(|error| self.syntax_error(&error))
    }

    /// Returns the elements with their spans in the file.
    pub(super) fn elements(&self) -> Xml<'s> {
        Xml { source: self.source }
    }

    /// Finds what the reader would take quadratic time for.
    fn check_size(&self) -> Result<(), Diagnostic> {
        let many = |message: String, start: usize| {
            Err(Diagnostic::error(message).at(self.source, self.source.token(start)))
        };
        if let Some((at, _)) = self.text.match_indices("xmlns").nth(MAX_NAMESPACES) {
            return many(format!("the file has more than {MAX_NAMESPACES} namespaces"), at);
        }
        match late_attribute(&self.text) {
            Some(at) => many(format!("an element has more than {MAX_ATTRIBUTES} attributes"), at),
            None => Ok(()),
        }
    }

    fn syntax_error(&self, error: &Error) -> Diagnostic {
        let pos = error.pos();
        let message = error.to_string().replace(&format!(" at {pos}"), "");
        let ends_early = matches!(error, Error::UnclosedRootNode | Error::UnexpectedEndOfStream);
        let start = match error {
            _ if ends_early => self.source.text.trim_end().len(),
            _ => self.source.offset(pos.row as usize, pos.col as usize),
        };
        let span = self.source.token(start);
        Diagnostic::error(format!("this is not well-formed XML: {message}")).at(self.source, span)
    }
}

/// Returns the span of the `=` of an attribute that is one too many for its element.
fn late_attribute(text: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        at += found;
        let rest = &text[at..];
        let hidden =
            [("<!--", "-->"), ("<![CDATA[", "]]>")].iter().find(|(open, _)| rest.starts_with(open));
        if let Some((open, close)) = hidden {
            at += open.len() + rest[open.len()..].find(close)?;
            continue;
        }
        let (mut quote, mut values) = (None, 0);
        let end = rest.bytes().position(|byte| {
            match (quote, byte) {
                (Some(open), _) if byte == open => quote = None,
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'=') => values += 1,
                _ => {}
            }
            values > MAX_ATTRIBUTES || (quote.is_none() && byte == b'>')
        })?;
        at += end;
        if values > MAX_ATTRIBUTES {
            return Some(at);
        }
    }
    None
}

/// Returns the span of an XML declaration that is behind comments or blanks.
fn late_declaration(text: &str) -> Option<Range<usize>> {
    let mut rest = text.trim_start();
    while let Some(comment) = rest.strip_prefix("<!--") {
        rest = comment.split_once("-->")?.1.trim_start();
    }
    let start = text.len() - rest.len();
    let is_late = start > 0 && rest.strip_prefix("<?xml")?.starts_with(char::is_whitespace);
    let end = rest.find("?>")? + "?>".len();
    is_late.then_some(start..start + end)
}

/// Returns the name of an element without its namespace.
pub(super) fn name<'d>(node: Node<'_, 'd>) -> &'d str {
    node.tag_name().name()
}

/// Returns the elements in an element.
pub(super) fn children<'a, 'd>(node: Node<'a, 'd>) -> impl Iterator<Item = Node<'a, 'd>> {
    node.children().filter(Node::is_element)
}

impl Xml<'_> {
    /// Returns the line of an element, from 1.
    pub(super) fn line(self, node: Node<'_, '_>) -> usize {
        self.source.line_column(node.range().start).0
    }

    /// Returns the span of the name of an element.
    pub(super) fn span(self, node: Node<'_, '_>) -> Range<usize> {
        let start = node.range().start + 1;
        let raw = &self.source.text[start..];
        let end = raw.find(|c: char| c.is_whitespace() || "/>".contains(c)).unwrap_or(raw.len());
        start..start + end
    }

    /// Returns an error about an element.
    pub(super) fn error(self, node: Node<'_, '_>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).at(self.source, self.span(node))
    }

    /// Returns the error for an element that does not belong here.
    pub(super) fn unknown<'n>(
        self,
        node: Node<'_, '_>,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Diagnostic {
        let (own, parent) = (name(node), node.parent_element().map_or("the file", name));
        self.error(node, format!("unknown element `{own}` in `{parent}`")).suggest(own, known)
    }

    /// Returns an element in an element.
    pub(super) fn child<'a, 'd>(self, node: Node<'a, 'd>, of: &str) -> Option<Node<'a, 'd>> {
        children(node).find(|child| name(*child) == of)
    }

    /// Returns an element in an element.
    ///
    /// # Errors
    ///
    /// If it is missing.
    pub(super) fn need<'a, 'd>(
        self,
        node: Node<'a, 'd>,
        of: &str,
    ) -> Result<Node<'a, 'd>, Diagnostic> {
        self.child(node, of)
            .ok_or_else(|| self.error(node, format!("`{}` has no element `{of}`", name(node))))
    }

    /// Returns the text in an element, without blanks around it.
    pub(super) fn text<'a>(self, node: Node<'a, '_>) -> &'a str {
        node.text().unwrap_or_default().trim()
    }

    /// Returns the number in an element.
    ///
    /// # Errors
    ///
    /// If there is no number, or if it is too large.
    pub(super) fn number(self, node: Node<'_, '_>) -> Result<f64, Diagnostic> {
        let span = node.first_child().map_or(node.range(), |text| text.range());
        self.parse_number(self.text(node), name(node), span)
    }

    /// Returns the number in an attribute.
    ///
    /// # Errors
    ///
    /// If the attribute is missing, if it is not a number, or if it is too large.
    pub(super) fn attribute(self, node: Node<'_, '_>, of: &str) -> Result<f64, Diagnostic> {
        let missing = || self.error(node, format!("`{}` has no attribute `{of}`", name(node)));
        let attribute = node.attribute_node(of).ok_or_else(missing)?;
        self.parse_number(attribute.value().trim(), of, attribute.range_value())
    }

    fn parse_number(self, text: &str, of: &str, span: Range<usize>) -> Result<f64, Diagnostic> {
        // The span without the blanks around the number.
        let raw = &self.source.text[span.clone()];
        let start = span.start + (raw.len() - raw.trim_start().len());
        let span = start..start.max(span.start + raw.trim_end().len());
        let fail = |message: String| Err(Diagnostic::error(message).at(self.source, span));
        match text.parse::<f64>() {
            Ok(x) if x.abs() <= MAX_NUMBER => Ok(x),
            Ok(_) => fail(format!("`{of}` must be a number from -1e6 to 1e6")),
            Err(_) if text.is_empty() => fail(format!("`{of}` has no number")),
            Err(_) => fail(format!("`{of}` must be a number, found `{text}`")),
        }
    }

    /// Returns a number above 0.
    ///
    /// # Errors
    ///
    /// If there is no such number.
    pub(super) fn positive(self, node: Node<'_, '_>) -> Result<f64, Diagnostic> {
        let number = self.number(node)?;
        if number > 0.0 {
            return Ok(number);
        }
        Err(self.error(node, format!("`{}` must be above 0, found {number}", name(node))))
    }

    /// Returns the integer in an element.
    ///
    /// # Errors
    ///
    /// If there is no integer from 0 to `most`.
    pub(super) fn count(self, node: Node<'_, '_>, most: u32) -> Result<u32, Diagnostic> {
        let text = self.text(node);
        text.parse().ok().filter(|count| *count <= most).ok_or_else(|| {
            let of = name(node);
            self.error(node, format!("`{of}` must be an integer from 0 to {most}, found `{text}`"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_behind_a_comment_is_not_an_error() {
        for (text, late) in [
            ("<?xml version=\"1.0\"?><a/>", None),
            ("<!-- c --><?xml version=\"1.0\"?>\n<a/>", Some(10..31)),
            ("\n<!-- c -->\n<!-- <?xml?> -->\n<?xml version='1.0'?><a/>", Some(29..50)),
            ("<!-- never closed <?xml version='1.0'?>", None),
            ("<!-- c --><?xml-stylesheet href='a'?><a/>", None),
            ("<a/>", None),
        ] {
            assert_eq!(late_declaration(text), late, "{text}");
        }
        let source = Source::new("a.xml", "<!-- c --><?xml version=\"1.0\"?>\n<a><b/></a>");
        let text = XmlText::new(&source);
        let document = text.parse().unwrap();
        let b = children(document.root_element()).next().unwrap();
        assert_eq!(text.elements().line(b), 2, "spans stay what they are");
    }

    /// Caught: an element with 200,000 attributes took half a minute, since each is compared with all others.
    #[test]
    fn too_many_attributes_are_refused_before_they_are_read() {
        let attributes =
            |count: usize| (0..count).map(|i| format!(" a{i} = '>'")).collect::<String>();
        let error = |text: &str| {
            let source = Source::new("a.xml", text);
            XmlText::new(&source).parse().err().map(|error| error.message.clone())
        };
        let lines = "=".repeat(1000);
        let most = attributes(MAX_ATTRIBUTES);
        assert_eq!(error(&format!("<a><!-- {lines}> --><b{most}>{lines}</b><b{most}/></a>")), None);
        let many = error(&format!("<a>\n<b{}/></a>", attributes(MAX_ATTRIBUTES + 1)));
        assert_eq!(many.as_deref(), Some("an element has more than 256 attributes"));
        let names = (0..=MAX_NAMESPACES).map(|i| format!("<a xmlns:a{i}='b'/>"));
        let many = error(&format!("<a>{}</a>", names.collect::<String>()));
        assert_eq!(many.as_deref(), Some("the file has more than 1000 namespaces"));
    }

    #[test]
    fn broken_xml_has_a_place() {
        for (text, span) in [
            ("<a>\n  <b></c>\n</a>", "2:6"),
            ("<a>\n  <b>1</b>\n", "2:11"),
            ("<a>\n <b x=1/>\n</a>", "2:7"),
            ("", "1:1"),
            ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "1:1"),
        ] {
            let source = Source::new("a.xml", text);
            let error = XmlText::new(&source).parse().err().unwrap();
            assert_eq!(error.position(), format!("a.xml:{span}"), "{error}");
            assert!(error.message.starts_with("this is not well-formed XML: "), "{error}");
        }
    }
}
