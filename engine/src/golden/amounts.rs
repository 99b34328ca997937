//! The amounts of a layer as text: each with how often it follows, as in `0*12 0.5 0.25*3`.

use super::text::{self, LineParser, SyntaxError};
use crate::world::MAX_AMOUNT;

/// The most cells that are read.
pub(super) const MAX_CELLS: usize = u32::MAX as usize;

/// Returns the text of amounts.
pub(crate) fn amounts_text(amounts: &[f32]) -> String {
    let mut all = String::new();
    for run in amounts.chunk_by(|a, b| a.to_bits() == b.to_bits()) {
        if !all.is_empty() {
            all.push(' ');
        }
        text::number(&mut all, run[0]);
        if run.len() > 1 {
            all.push_str(&format!("*{}", run.len()));
        }
    }
    all
}

/// Reads the amounts of a layer with a number of cells.
///
/// # Errors
///
/// What is wrong with the text.
pub(crate) fn read_amounts(text: &str, cells: usize) -> Result<Vec<f32>, String> {
    let mut line = LineParser::new(text);
    let mut amounts = Vec::new();
    while !line.is_done() {
        let (amount, count) = line.amount().map_err(|SyntaxError { at, expected }| {
            format!("expected {expected}, found `{}`", &text[at])
        })?;
        if count > cells - amounts.len() {
            return Err(format!("there are more than {cells} amounts, one for each cell"));
        }
        amounts.resize(amounts.len() + count, amount);
    }
    if amounts.len() < cells {
        return Err(format!(
            "expected an amount for each of {cells} cells, found {}",
            amounts.len()
        ));
    }
    Ok(amounts)
}

impl LineParser<'_> {
    /// Reads an amount, and how often it follows.
    pub(super) fn amount(&mut self) -> Result<(f32, usize), SyntaxError> {
        let before = *self;
        let word: String = self.parse("an amount")?;
        let (amount, count) = word.split_once('*').unwrap_or((&word, "1"));
        let amount = amount.parse().ok().filter(|amount| (0.0..=MAX_AMOUNT).contains(amount));
        match (amount, count.parse()) {
            (Some(amount), Ok(count)) if count > 0 => Ok((amount, count)),
            _ => {
                *self = before;
                Err(self.wrong("an amount such as `0.5`, or `0*12` for 12 times 0"))
            }
        }
    }
}
