//! Line breaks where the style wants them, before long lines are broken.

use std::collections::BTreeSet;

use super::items::{Break, Item, Items, Pair, Role};
use crate::tokens::Language;

/// Moves, removes and adds line breaks.
pub(super) fn normalize(items: &mut Items<'_>) {
    for index in 1..items.all.len() {
        if items.all[index - 1].role == Role::LineComment {
            if items.all[index].line_break == Break::None {
                items.set_break(index, Break::Line);
            }
        } else if items.all[index].line_break != Break::None && !items.all[index].role.is_comment()
        {
            move_break(items, index);
        }
    }
    separate(items, None);
    for open in 0..items.all.len() {
        let is_block = items.all[open].role == Role::Open(Pair::Block);
        if is_block && items.all[open].partner.is_some() && has_several(items, open) {
            open_up(items, open);
        }
        if items.language == Language::Rhai && has_inner_block(items, open) {
            open_up(items, open);
        } else if items.language == Language::Ron && has_large_entries(items, open) {
            open_data(items, open);
        }
    }
    for open in 0..items.all.len() {
        let Role::Open(pair) = items.all[open].role else { continue };
        let Some(close) = items.all[open].partner else {
            let mut rest = open + 1..items.all.len();
            if pair.has_statements() && rest.any(|index| has_break(items, index)) {
                separate(items, Some(open));
            }
            continue;
        };
        if pair.has_statements() {
            // A block with a line break anywhere has several lines.
            if (open + 1..=close).any(|index| has_break(items, index)) {
                open_up(items, open);
                separate(items, Some(open));
            }
        } else if is_open(items, open, close) {
            open_up(items, open);
        }
    }
    if items.language == Language::Ron {
        part_elements(items);
    }
    let mut known = BTreeSet::new();
    for open in 0..items.all.len() {
        if !known.contains(&open) {
            known.extend(open_chain(items, open));
        }
    }
}

/// Adds line breaks between the elements of data that both have several lines, in brackets with line breaks at both ends.
fn part_elements(items: &mut Items<'_>) {
    let is_broken = |items: &Items<'_>, close: Option<usize>| {
        close.is_some_and(|close| has_break(items, close))
    };
    for comma in 1..items.all.len() {
        let Item { role: Role::Comma, before, after: Some(next), around: Some(around), .. } =
            items.all[comma]
        else {
            continue;
        };
        let ends_lines =
            matches!(before.map(|before| items.all[before].role), Some(Role::Close(_)))
                && is_broken(items, before);
        let is_open = is_broken(items, items.all[around].partner);
        let is_own = |index: &usize| items.all[*index].around == Some(around);
        let mut rest = (next..items.all.len()).filter(is_own);
        let last =
            rest.find(|index| matches!(items.all[*index].role, Role::Comma | Role::Close(_)));
        let has_lines = last.is_some_and(|last| {
            matches!(items.all[last].role, Role::Close(_)) && has_break(items, last)
        });
        if ends_lines
            && is_open
            && has_lines
            && !(comma + 1..=next).any(|index| has_break(items, index))
        {
            items.break_before(comma + 1);
        }
    }
}

/// Gives all blocks that `else` or `catch` connects several lines, if one of them has several or a statement that ends in `;`, by the brace
/// of the first block. Returns their braces.
fn open_chain(items: &mut Items<'_>, open: usize) -> Vec<usize> {
    let next_block = |open: usize| {
        let close = items.all[open].partner?;
        if !matches!(items.get(close + 1), "else" | "catch") {
            return None;
        }
        let is_block = |index: &usize| items.all[*index].role == Role::Open(Pair::Block);
        let own = |index: &usize| items.all[*index].around == items.all[open].around;
        let mut after = (close + 1..items.all.len()).filter(own);
        after.find(is_block)
    };
    let is_block = items.all[open].role == Role::Open(Pair::Block);
    let chain: Vec<usize> =
        std::iter::successors(Some(open).filter(|_| is_block), |open| next_block(*open)).collect();
    let has_lines = |open: &usize| {
        let close = items.all[*open].partner.unwrap_or(*open);
        (open + 1..=close).any(|index| {
            let item = &items.all[index];
            has_break(items, index) || item.role == Role::Semicolon && item.around == Some(*open)
        })
    };
    if chain.len() > 1 && chain.iter().any(has_lines) {
        for &open in &chain {
            open_up(items, open);
            separate(items, Some(open));
        }
    }
    chain
}

fn has_break(items: &Items<'_>, index: usize) -> bool {
    items.all[index].line_break != Break::None
}

/// Moves or removes the line break before a token that is not a comment, if it is at a wrong place.
fn move_break(items: &mut Items<'_>, index: usize) {
    let before = index - 1;
    let (role, next) = (items.all[before].role, items.all[index].role);
    if role.is_comment() {
        return;
    }
    let is_data = items.language == Language::Ron;
    let goes = match (role, next) {
        (_, Role::Comma | Role::Semicolon | Role::Colon | Role::Arrow | Role::Assignment) => true,
        (
            Role::Arrow | Role::Unary | Role::Joint | Role::Hash | Role::OpenBar | Role::Keyword,
            _,
        )
        | (_, Role::Joint | Role::CloseBar) => true,
        // The parameters of a closure.
        (Role::Comma | Role::Word, Role::Word) if !is_data && is_in_bars(items, index) => true,
        (_, Role::Keyword) if matches!(items.get(index), "as" | "in") => true,
        (Role::Close(Pair::Block), Role::Keyword) => match items.get(index) {
            "else" | "catch" => true,
            "while" | "until" => items.closes_do(before),
            _ => false,
        },
        (Role::Semicolon | Role::Open(_) | Role::Close(Pair::Block | Pair::Cases), _) => false,
        (_, Role::Open(Pair::Block | Pair::Cases)) => !matches!(role, Role::Comma),
        (Role::Word, Role::Open(Pair::List)) | (Role::Colon, Role::Open(_)) => true,
        (Role::Colon, _) => is_data,
        (Role::Number | Role::Text | Role::Close(_), Role::Open(Pair::List)) => !is_data,
        (Role::Binary(_) | Role::Dot, _) => {
            let is_after_comment = before > 0 && items.all[before - 1].role.is_comment();
            if is_after_comment || items.all[before].is_fixed || items.all[index].is_fixed {
                return;
            }
            if !has_break(items, before) {
                items.set_break(before, Break::Line);
            }
            true
        }
        _ => false,
    };
    if goes {
        items.set_break(index, Break::None);
    } else if matches!(next, Role::Close(_)) || matches!(role, Role::Open(_)) {
        items.set_break(index, Break::Line);
    }
}

/// Returns whether a token is between the bars of a closure.
fn is_in_bars(items: &Items<'_>, index: usize) -> bool {
    let mut before = (0..index).rev().map(|index| items.all[index].role);
    before.find(|role| !matches!(role, Role::Word | Role::Comma)) == Some(Role::OpenBar)
}

/// Returns whether brackets around a list have line breaks at both ends: if they have one there, or behind a comma.
fn is_open(items: &Items<'_>, open: usize, close: usize) -> bool {
    let is_own = |index: &usize| items.all[*index].around == Some(open);
    (open + 1..=close).any(|index| {
        has_break(items, index)
            && (index == close
                || is_own(&index)
                    && items.before(index).is_some_and(|before| {
                        before == open || items.all[before].role == Role::Comma && is_own(&before)
                    }))
    })
}

/// Adds line breaks behind an opening bracket and before the one that closes it.
pub(super) fn open_up(items: &mut Items<'_>, open: usize) {
    let Some(close) = items.all[open].partner else { return };
    if close == open + 1 {
        items.set_break(close, Break::None);
        return;
    }
    items.break_before(open + 1);
    if !has_break(items, close) {
        items.set_break(close, Break::Line);
    }
    if items.all[close].line_break == Break::Blank {
        items.set_break(close, Break::Line);
    }
}

/// Adds line breaks between the statements of a block that has several lines, or of the file.
pub(super) fn separate(items: &mut Items<'_>, block: Option<usize>) {
    for (before, index) in boundaries(items, block) {
        if !(before + 1..=index).any(|index| has_break(items, index)) {
            items.break_before(before + 1);
        }
    }
}

/// Returns whether another block is in a block.
fn has_inner_block(items: &Items<'_>, open: usize) -> bool {
    let is_block = |index: usize| items.all[index].role == Role::Open(Pair::Block);
    let close = items.all[open].partner.unwrap_or(open);
    is_block(open) && (open + 1..close).any(is_block)
}

/// Returns whether the entries of a map have fields: several of them, or one whose fields have fields of their own.
fn has_large_entries(items: &Items<'_>, open: usize) -> bool {
    let Some(close) = items.all[open].partner.filter(|_| items.get(open) == "{") else {
        return false;
    };
    let has_fields = |index: &usize| items.get(*index) == "(" && items.all[*index].has_names;
    let is_own = |index: &usize| items.all[*index].around == Some(open);
    let entries: Vec<usize> = (open + 1..close).filter(has_fields).filter(is_own).collect();
    let is_large = |entry: &usize| {
        let end = items.all[*entry].partner.unwrap_or(*entry);
        (entry + 1..end).any(|index| has_fields(&index))
    };
    entries.len() > 1 || entries.iter().any(is_large)
}

/// Gives each element of brackets a line of its own, and each field of those around them.
fn open_data(items: &mut Items<'_>, open: usize) {
    let mut next = Some(open);
    while let Some(open) = next {
        let Some(close) = items.all[open].partner else { return };
        // These have several lines already.
        if has_break(items, open + 1) {
            return;
        }
        open_up(items, open);
        for comma in open + 1..close - 1 {
            let item = &items.all[comma];
            if item.role == Role::Comma && item.around == Some(open) && !has_break(items, comma + 1)
            {
                items.break_before(comma + 1);
            }
        }
        next = items.all[open].around.filter(|around| items.all[*around].has_names);
    }
}

/// Returns whether a block has several statements.
fn has_several(items: &Items<'_>, block: usize) -> bool {
    !boundaries(items, Some(block)).is_empty()
}

/// Returns the last token of each statement of a block, or of the file, but for the last one, and the first token of the next one.
fn boundaries(items: &Items<'_>, block: Option<usize>) -> Vec<(usize, usize)> {
    let start = block.map_or(1, |open| open + 1);
    let end = block.and_then(|open| items.all[open].partner).unwrap_or(items.all.len());
    let pair = block.map_or(Pair::Block, |open| match items.all[open].role {
        Role::Open(pair) => pair,
        _ => Pair::Block,
    });
    let last_before = |index: usize| {
        let item = &items.all[index];
        if item.around != block || item.role.is_comment() {
            return None;
        }
        let before = items.before(index).filter(|before| block.is_none_or(|of| *before > of))?;
        if items.all[before].around != block {
            return None;
        }
        let ends = match items.all[before].role {
            Role::Semicolon => item.role != Role::Semicolon,
            Role::Comma => pair == Pair::Cases,
            Role::Close(Pair::Block | Pair::Cases) => {
                let is_loop = matches!(items.get(index), "while" | "until");
                items.begins_statement(index) && !(is_loop && items.closes_do(before))
            }
            _ => false,
        };
        ends.then_some((before, index))
    };
    (start..end).filter_map(last_before).collect()
}
