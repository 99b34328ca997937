//! Writing and reading the words, numbers and values on a line of a golden.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use crate::distribution::Distribution;
use crate::math::Vec2;
use crate::world::Value;

/// The deepest nesting of values that is read. The state of scripts has a lower limit.
const MAX_DEPTH: usize = 64;

/// Appends a number that reads back to the same bits.
pub(super) fn number(line: &mut String, x: f32) {
    let text = format!("{x:?}");
    line.push_str(text.strip_suffix(".0").unwrap_or(&text));
}

/// Appends a name: unchanged if it is one plain word, otherwise in quotes.
pub(super) fn name(line: &mut String, name: &str) {
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
    if is_plain {
        line.push_str(name);
    } else {
        quoted(line, name);
    }
}

/// Appends a string in quotes, with the escapes of JSON.
pub(super) fn quoted(line: &mut String, text: &str) {
    line.push_str(&serde_json::Value::from(text).to_string());
}

/// Appends a value in a form that shows its type.
pub(super) fn value(line: &mut String, of: &Value) {
    // Writing to a string cannot fail.
    let _ = match of {
        Value::Nothing => line.write_str("()"),
        Value::Bool(x) => write!(line, "{x}"),
        Value::Int(x) => write!(line, "{x}"),
        Value::Float(x) => write!(line, "{x:?}"),
        Value::Vector(v) => write!(line, "({:?},{:?})", v.x, v.y),
        Value::Agent(id) => write!(line, "@{id}"),
        Value::String(text) => {
            quoted(line, text);
            Ok(())
        }
        Value::List(items) => {
            line.push('[');
            for item in items {
                value(line, item);
                line.push(',');
            }
            line.push(']');
            Ok(())
        }
        Value::Map(items) => {
            line.push('{');
            for (key, item) in items {
                name(line, key);
                line.push(':');
                value(line, item);
                line.push(',');
            }
            line.push('}');
            Ok(())
        }
        Value::Drawn(distribution) => {
            line.push('~');
            value(line, &parts_value(distribution));
            Ok(())
        }
    };
}

/// Returns a distribution as lists: for each part its share, its name and its numbers.
fn parts_value(distribution: &Distribution) -> Value {
    let part = |(share, name, numbers): (f32, &str, Vec<f32>)| {
        let numbers = numbers.into_iter().map(Value::Float);
        Value::List([Value::Float(share), Value::from(name)].into_iter().chain(numbers).collect())
    };
    Value::List(distribution.parts().map(part).collect())
}

/// Reads what [`parts_value`] returns.
fn read_parts(value: &Value) -> Option<Distribution> {
    let Value::List(parts) = value else { return None };
    let parts: Vec<_> = parts.iter().map(read_part).collect::<Option<_>>()?;
    Distribution::from_parts(parts)
}

fn read_part(value: &Value) -> Option<(f32, &str, Vec<f32>)> {
    let Value::List(all) = value else { return None };
    let [Value::Float(share), Value::String(name), numbers @ ..] = &all[..] else { return None };
    let number = |value: &Value| match value {
        Value::Float(x) => Some(*x),
        _ => None,
    };
    Some((*share, name, numbers.iter().map(number).collect::<Option<_>>()?))
}

/// Appends a vector, with a space before it.
pub(super) fn vector(line: &mut String, v: Vec2) {
    line.push(' ');
    number(line, v.x);
    line.push(' ');
    number(line, v.y);
}

/// A place in a line where something else was expected.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SyntaxError {
    /// The range of bytes in the line.
    pub(super) at: Range<usize>,
    /// A description of the expected part.
    pub(super) expected: Cow<'static, str>,
}

type ParseResult<T> = Result<T, SyntaxError>;

/// Reads a line from left to right.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineParser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> LineParser<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns true at the end of the line.
    pub(super) fn is_done(&mut self) -> bool {
        self.rest().is_empty()
    }

    /// Returns what is left, without leading spaces.
    fn rest(&mut self) -> &'t str {
        let rest = self.text[self.at..].trim_start_matches(' ');
        self.at = self.text.len() - rest.len();
        rest
    }

    /// Returns the next word, which ends before a space or a punctuation character.
    fn peek(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| " ()[]{},:\"".contains(c)).unwrap_or(rest.len());
        &rest[..end]
    }

    /// Returns an error for the next word.
    pub(super) fn wrong(&mut self, expected: impl Into<Cow<'static, str>>) -> SyntaxError {
        let length = self.peek().len().max(usize::from(!self.is_done()));
        let at = self.at..self.at + length;
        SyntaxError { at, expected: expected.into() }
    }

    /// Consumes a word if it comes next; returns whether it did.
    pub(super) fn takes(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    /// Consumes a punctuation character if it comes next; returns whether it did.
    fn takes_sign(&mut self, sign: char) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len_utf8();
        }
        found
    }

    /// Consumes a word that must come next.
    pub(super) fn expect(&mut self, word: &'static str) -> ParseResult<()> {
        if self.takes(word) { Ok(()) } else { Err(self.wrong(format!("`{word}`"))) }
    }

    fn expect_sign(&mut self, sign: char, name: &'static str) -> ParseResult<()> {
        if self.takes_sign(sign) { Ok(()) } else { Err(self.wrong(name)) }
    }

    /// Reads a value that is one word.
    pub(super) fn parse<T: FromStr>(&mut self, expected: &'static str) -> ParseResult<T> {
        let word = self.peek();
        let read = word.parse().map_err(|_| self.wrong(expected))?;
        self.at += word.len();
        Ok(read)
    }

    /// Reads an integer after a colon.
    pub(super) fn counted(&mut self) -> ParseResult<u64> {
        self.expect_sign(':', "`:`")?;
        self.parse("an integer")
    }

    /// Reads a finite number.
    pub(super) fn number(&mut self) -> ParseResult<f32> {
        let before = *self;
        let x: f32 = self.parse("a number")?;
        if x.is_finite() {
            Ok(x)
        } else {
            *self = before;
            Err(self.wrong("a finite number"))
        }
    }

    /// Reads two finite numbers.
    pub(super) fn vector(&mut self) -> ParseResult<Vec2> {
        Ok(Vec2::new(self.number()?, self.number()?))
    }

    /// Reads a number with this many hexadecimal digits.
    pub(super) fn hex(&mut self, digits: usize) -> ParseResult<u64> {
        let word = self.peek();
        match u64::from_str_radix(word, 16) {
            Ok(x) if word.len() == digits => {
                self.at += word.len();
                Ok(x)
            }
            _ => Err(self.wrong("a hexadecimal number")),
        }
    }

    /// Reads a name, plain or in quotes.
    pub(super) fn name(&mut self) -> ParseResult<Arc<str>> {
        if self.rest().starts_with('"') {
            return self.quoted();
        }
        let word = self.peek();
        if word.is_empty() {
            return Err(self.wrong("a name"));
        }
        self.at += word.len();
        Ok(word.into())
    }

    /// Reads a string in quotes.
    pub(super) fn quoted(&mut self) -> ParseResult<Arc<str>> {
        let rest = self.rest();
        let mut is_escaped = false;
        let end = rest.char_indices().skip(1).find(|&(_, c)| {
            let ends = c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            ends
        });
        let text = end.and_then(|(end, _)| {
            let text: String = serde_json::from_str(&rest[..=end]).ok()?;
            self.at += end + 1;
            Some(text.into())
        });
        text.ok_or_else(|| self.wrong("a string"))
    }

    /// Reads a value of any type.
    pub(super) fn value(&mut self) -> ParseResult<Value> {
        self.nested(0)
    }

    fn nested(&mut self, depth: usize) -> ParseResult<Value> {
        if depth > MAX_DEPTH {
            return Err(self.wrong("at most 64 levels of nesting"));
        }
        let rest = self.rest();
        if rest.starts_with('"') {
            return self.quoted().map(Value::String);
        }
        if self.takes_sign('(') {
            if self.takes_sign(')') {
                return Ok(Value::Nothing);
            }
            let x = self.number()?;
            self.expect_sign(',', "`,`")?;
            let y = self.number()?;
            self.expect_sign(')', "`)`")?;
            return Ok(Value::Vector(Vec2::new(x, y)));
        }
        if self.takes_sign('[') {
            let mut items = Vec::new();
            while !self.takes_sign(']') {
                items.push(self.nested(depth + 1)?);
                self.expect_sign(',', "`,`")?;
            }
            return Ok(Value::List(items));
        }
        if self.takes_sign('{') {
            let mut items = Vec::new();
            while !self.takes_sign('}') {
                let key = self.name()?;
                self.expect_sign(':', "`:`")?;
                items.push((key, self.nested(depth + 1)?));
                self.expect_sign(',', "`,`")?;
            }
            return Ok(Value::Map(items));
        }
        if self.takes_sign('~') {
            let before = *self;
            let parts = self.nested(depth + 1)?;
            return match read_parts(&parts) {
                Some(distribution) => Ok(distribution.into()),
                None => {
                    *self = before;
                    Err(self.wrong("the parts of a distribution"))
                }
            };
        }
        let word = self.peek();
        let is_whole = word.strip_prefix('-').unwrap_or(word).bytes().all(|b| b.is_ascii_digit());
        match word {
            "true" => self.expect("true").map(|()| Value::Bool(true)),
            "false" => self.expect("false").map(|()| Value::Bool(false)),
            _ if word.starts_with('@') => {
                self.at += 1;
                self.parse("an agent's id").map(Value::Agent)
            }
            _ if is_whole => self.parse("a value").map(Value::Int),
            _ => self.number().map(Value::Float),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::AgentId;
    use proptest::prelude::*;

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Nothing),
            any::<bool>().prop_map(Value::Bool),
            any::<i64>().prop_map(Value::Int),
            any::<f32>().prop_filter("finite", |x| x.is_finite()).prop_map(Value::Float),
            (-1e9f32..1e9, -1e-9f32..1e-9).prop_map(|(x, y)| Value::Vector(Vec2::new(x, y))),
            any::<String>().prop_map(|text| Value::String(text.into())),
            any::<u32>().prop_map(|id| Value::Agent(AgentId(id))),
            (any::<u16>(), 0.0f32..9.0).prop_map(|(mean, deviation)| {
                let within = [f32::from(mean) - 0.1, f32::from(mean) + 0.3];
                let normal = Distribution::normal(mean.into(), deviation, Some(within)).unwrap();
                let table = Distribution::table(&[(0.0, -1.5), (0.5, 0.1), (1.0, 0.1)]).unwrap();
                Distribution::mixture(&[(0.25, normal), (0.75, table)]).unwrap().into()
            }),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
                prop::collection::vec((any::<String>(), inner), 0..4).prop_map(|items| {
                    Value::Map(items.into_iter().map(|(name, item)| (name.into(), item)).collect())
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn values_read_back(written in any_value(), key in any::<String>()) {
            let mut line = String::new();
            name(&mut line, &key);
            line.push(' ');
            value(&mut line, &written);
            prop_assert!(!line.contains('\n'));
            let mut reader = LineParser::new(&line);
            prop_assert_eq!(&*reader.name().unwrap(), key.as_str());
            let read = reader.value().unwrap();
            // Compared as text, since -0.0 is equal to 0.0.
            prop_assert_eq!(format!("{read:?}"), format!("{written:?}"));
            prop_assert!(reader.is_done());
        }

        #[test]
        fn errors_are_within_the_line(text in "[ -~ä]{0,40}") {
            let mut line = LineParser::new(&text);
            if let Err(wrong) = line.value() {
                prop_assert!(text.get(wrong.at).is_some());
            }
            let _ = (line.name(), line.hex(4), line.vector());
        }
    }

    #[test]
    fn numbers_are_short_and_exact() {
        for x in [0.0, -0.0, 412.0, 300.25, 1e30, 1e-40, 0.1, 16_777_216.0] {
            let mut line = String::new();
            number(&mut line, x);
            assert!(!line.ends_with(".0"), "{line}");
            assert_eq!(LineParser::new(&line).number().unwrap().to_bits(), x.to_bits());
        }
    }
}
