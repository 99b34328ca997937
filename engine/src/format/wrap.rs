//! Breaks lines that are too long.

use std::ops::Range;

use super::breaks::{open_up, separate};
use super::items::{Break, Items, Pair, Role};
use super::{LEVEL, WIDTH};

/// Widest elements of a list of which several are in one line.
const NARROW: usize = 24;

/// A line that is too long.
struct LongLine<'i, 't> {
    items: &'i mut Items<'t>,
    part: Range<usize>,
    /// For each token, the number of brackets around it, relative to the line's first token.
    depths: Vec<isize>,
    indent: usize,
}

/// Breaks a line with an indentation. Returns whether there is a place for that.
pub(super) fn wrap(items: &mut Items<'_>, part: Range<usize>, indent: usize) -> bool {
    let mut depth = 0;
    let depth_of = |index: usize| {
        let role = items.all[index].role;
        if matches!(role, Role::Close(_)) {
            depth -= 1;
        }
        let own = depth;
        if matches!(role, Role::Open(_)) {
            depth += 1;
        }
        own
    };
    let depths: Vec<isize> = part.clone().map(depth_of).collect();
    let mut outermost: Vec<isize> = depths.clone();
    outermost.sort_unstable();
    outermost.dedup();
    let mut line = LongLine { items, part, depths, indent };
    outermost.into_iter().any(|depth| line.wrap_at(depth))
}

impl LongLine<'_, '_> {
    /// Returns the tokens of a depth.
    fn at(&self, depth: isize) -> Vec<usize> {
        let all = self.part.clone().zip(&self.depths);
        all.filter(|(_, of)| **of == depth).map(|(index, _)| index).collect()
    }

    /// Breaks the line at some tokens. Returns whether any of them was not yet at the start of a line.
    fn break_before(&mut self, tokens: impl IntoIterator<Item = usize>) -> bool {
        let mut is_new = false;
        for index in tokens {
            if index > self.part.start && index < self.items.all.len() {
                is_new |= self.items.break_before(index);
            }
        }
        is_new
    }

    fn wrap_at(&mut self, depth: isize) -> bool {
        let here = self.at(depth);
        self.at_commas(&here)
            || self.at_blocks(&here)
            || self.at_operators(&here)
            || self.at_methods(&here)
            || self.in_brackets(&here)
            || self.behind_assignment(&here)
    }

    /// Breaks a part of a list or of a `switch` that is in brackets of several lines.
    fn at_commas(&mut self, here: &[usize]) -> bool {
        let is_inner = |index: usize| {
            let open = self.items.all[index].around;
            open.is_some_and(|open| open < self.part.start)
        };
        let commas: Vec<usize> = here
            .iter()
            .copied()
            .filter(|&index| self.items.all[index].role == Role::Comma && is_inner(index))
            .collect();
        if commas.is_empty() {
            return false;
        }
        let list = self.items.all[commas[0]].around;
        let has_names = list.is_some_and(|open| self.items.all[open].has_names);
        if !has_names && self.elements(&commas).into_iter().all(|width| width <= NARROW) {
            self.join_rows(commas[0]);
            return self.fill_rows(&commas);
        }
        self.break_before(commas.iter().map(|comma| comma + 1))
    }

    /// Breaks the line behind the last of some commas that fits, and again where the next line would be too long.
    fn fill_rows(&mut self, commas: &[usize]) -> bool {
        let ends = commas.iter().map(|comma| comma + 1).chain([self.part.end]);
        let ends: Vec<usize> = ends.collect();
        let (mut start, mut width, mut is_new) = (self.part.start, self.indent, false);
        for end in ends {
            let more = self.width(start..end);
            if width + more > WIDTH && width > self.indent {
                is_new |= self.break_before([start]);
                width = self.indent;
            }
            width += more + 1;
            start = end;
        }
        is_new
    }

    /// Removes the line breaks behind the commas of a list of narrow elements below the line, up to a comment or an empty line.
    fn join_rows(&mut self, comma: usize) {
        let list = self.items.all[comma].around;
        let close = list.and_then(|open| self.items.all[open].partner).unwrap_or(self.part.end);
        for index in self.part.end..close {
            let item = &self.items.all[index];
            if item.role.is_comment() || item.line_break == Break::Blank {
                break;
            }
            if item.around == list && self.items.all[index - 1].role == Role::Comma {
                self.items.set_break(index, Break::None);
            }
        }
    }

    /// Returns the widths of the parts of the line between some tokens.
    fn elements(&self, commas: &[usize]) -> Vec<usize> {
        let mut start = self.part.start;
        let mut all = Vec::new();
        for &end in commas.iter().chain([&self.part.end]) {
            all.push(self.width(start..end));
            start = end + 1;
        }
        all
    }

    /// Returns the columns of a part of the line.
    fn width(&self, part: Range<usize>) -> usize {
        let first = part.start;
        let space = |index: usize| usize::from(index > first && self.items.has_space(index));
        let all = part.filter(|index| !self.items.is_left_out(*index));
        all.map(|index| space(index) + self.items.get(index).chars().count()).sum()
    }

    /// Gives the blocks of the line several lines.
    fn at_blocks(&mut self, here: &[usize]) -> bool {
        let is_block = |index: &usize| {
            let item = &self.items.all[*index];
            let close = item.partner.filter(|&close| close > index + 1 && close < self.part.end);
            matches!(item.role, Role::Open(pair) if pair.has_statements()) && close.is_some()
        };
        let blocks: Vec<usize> = here.iter().copied().filter(is_block).collect();
        for &open in &blocks {
            self.open_block(open);
        }
        !blocks.is_empty()
    }

    fn open_block(&mut self, open: usize) {
        open_up(self.items, open);
        separate(self.items, Some(open));
    }

    /// Breaks the line before the operators that are evaluated last.
    fn at_operators(&mut self, here: &[usize]) -> bool {
        let operator = |index: usize| match self.items.all[index].role {
            Role::Binary(order) => Some((order, index)),
            _ => None,
        };
        let operators = here.iter().filter_map(|&index| operator(index));
        let operators: Vec<(u8, usize)> =
            operators.filter(|(_, of)| *of > self.part.start).collect();
        let last = operators.iter().map(|(order, _)| *order).min();
        let chosen = operators.into_iter().filter(|(order, _)| Some(*order) == last);
        let chosen: Vec<usize> = chosen.map(|(_, index)| index).collect();
        self.break_before(chosen)
    }

    /// Breaks the line before the calls of methods, if there are several.
    fn at_methods(&mut self, here: &[usize]) -> bool {
        let is_method = |index: &usize| {
            self.items.all[*index].role == Role::Dot && self.items.get(*index + 2) == "("
        };
        let dots: Vec<usize> = here.iter().copied().filter(is_method).collect();
        dots.len() > 1 && self.break_before(dots)
    }

    /// Breaks the line in its widest brackets.
    fn in_brackets(&mut self, here: &[usize]) -> bool {
        let widest = here
            .iter()
            .copied()
            .filter_map(|open| {
                let Role::Open(Pair::List | Pair::Map) = self.items.all[open].role else {
                    return None;
                };
                let close = self.items.all[open].partner.filter(|&close| close > open + 1)?;
                let width = self.width(open..close.min(self.part.end));
                // A single long string would stay too long.
                let is_one = self.last(close) == open + 1 && self.indent + LEVEL + width > WIDTH;
                (!is_one && !self.items.all[close].is_fixed).then_some((width, open, close))
            })
            .max_by_key(|(width, open, _)| (*width, *open));
        let Some((_, open, close)) = widest else { return false };
        let (open, close) = self.without_wrappers(open, close);
        // `near.map(|one| { .. })`
        let last = close - 1;
        if self.items.all[last].role == Role::Close(Pair::Block)
            && close < self.part.end
            && let Some(block) = self.items.all[last].partner
            && block > 0
            && self.items.all[block - 1].role == Role::CloseBar
            && block + 1 < last
            && self.width(self.part.start..block + 1) + self.indent <= WIDTH
        {
            self.open_block(block);
            return true;
        }
        let mut is_new = self.items.break_before(open + 1);
        is_new |= self.items.break_before(close);
        let own = |index: &usize| {
            let item = &self.items.all[*index];
            item.around == Some(open) && item.role == Role::Comma
        };
        let commas: Vec<usize> = (open + 1..close).filter(own).collect();
        let fits = self.indent + LEVEL + self.width(open + 1..close) <= WIDTH;
        let has_names = self.items.all[open].has_names;
        if !fits || has_names || close >= self.part.end {
            let mut start = open + 1;
            let mut is_narrow = !has_names;
            for &end in commas.iter().chain([&close]) {
                is_narrow &= self.width(start..end) <= NARROW;
                start = end + 1;
            }
            if !is_narrow {
                for comma in commas.into_iter().filter(|comma| comma + 1 < close) {
                    is_new |= self.items.break_before(comma + 1);
                }
            }
        }
        is_new
    }

    /// Returns the last token in brackets, without the comma behind it that may be left out.
    fn last(&self, close: usize) -> usize {
        close - 1 - usize::from(self.items.is_left_out(close - 1))
    }

    /// Returns the brackets inside some that have nothing else in them, such as those of the list in `Points([..])`.
    fn without_wrappers(&self, open: usize, close: usize) -> (usize, usize) {
        let is_name = self.items.all[open + 1].role == Role::Word;
        let inner = open + 1 + usize::from(is_name);
        let (item, last) = (&self.items.all[inner], self.last(close));
        let is_list = matches!(item.role, Role::Open(Pair::List | Pair::Map));
        if is_list && item.partner == Some(last) && last > inner + 1 {
            return self.without_wrappers(inner, last);
        }
        (open, close)
    }

    /// Breaks the line behind an equals sign.
    fn behind_assignment(&mut self, here: &[usize]) -> bool {
        let sign =
            here.iter().copied().find(|&index| self.items.all[index].role == Role::Assignment);
        self.break_before(sign.map(|sign| sign + 1))
    }
}
