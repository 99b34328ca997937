//! The order of variants in completion: those that most of the shipped scenarios use come first.
//!
//! A program has no shipped scenarios, so `variant_order.txt` has their variants in this order. A test in `viewer/tests/it/lsp` writes it from
//! the scenarios.

use flockwork_engine::schema::Variant;

/// The variants that shipped scenarios use, the most frequent first.
const ORDER: &str = include_str!("variant_order.txt");

/// Returns variants in the order in which they are likely: those that no shipped scenario uses come last, as they are declared.
pub(super) fn by_use(variants: &[Variant]) -> Vec<&Variant> {
    let mut all: Vec<&Variant> = variants.iter().collect();
    let place = |variant: &&Variant| ORDER.lines().position(|line| line == variant.name);
    all.sort_by_key(|variant| place(variant).unwrap_or(usize::MAX));
    all
}
