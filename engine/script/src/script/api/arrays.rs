//! Sorting of arrays. Rhai's own functions use the sort of the standard library, which panics if the order is not
//! total (because of NaN, or a comparison function that contradicts itself), and they ignore errors of the comparison.

use std::cmp::Ordering;

use rhai::{Array, Dynamic, FnPtr, ImmutableString, NativeCallContext};

use super::{ApiBuilder, value};
use crate::script::meter;
use crate::script::problem::{Problem, Result};

pub(super) fn add(api: &mut ApiBuilder) {
    for (name, compare) in [("sort", compare_values as CompareFn), ("sort_desc", compare_reversed)]
    {
        api.method(name, move |array: &mut Array| -> Result<()> {
            *array = sorted(array.clone(), compare)?;
            Ok(())
        });
    }
    for (name, compare) in
        [("order", compare_values as CompareFn), ("order_desc", compare_reversed)]
    {
        api.function(name, move |array: Array| -> Result<Array> { sorted(array, compare) });
    }
    for name in ["sort", "sort_by"] {
        api.method(
            name,
            |context: NativeCallContext<'_>, array: &mut Array, by: FnPtr| -> Result<()> {
                *array = sorted(array.clone(), |a, b| compare_by(&context, &by, a, b))?;
                Ok(())
            },
        );
    }
    for name in ["order", "order_by"] {
        api.function(
            name,
            |context: NativeCallContext<'_>, array: Array, by: FnPtr| -> Result<Array> {
                sorted(array, |a, b| compare_by(&context, &by, a, b))
            },
        );
    }
}

type CompareFn = fn(&Dynamic, &Dynamic) -> Result<Ordering>;

/// Orders numbers by value with NaN last, strings and characters by code point, and `false` before `true`.
fn compare_values(a: &Dynamic, b: &Dynamic) -> Result<Ordering> {
    if let (Ok(a), Ok(b)) = (a.as_int(), b.as_int()) {
        return Ok(a.cmp(&b));
    }
    if let (Some(a), Some(b)) = (value::number(a), value::number(b)) {
        return Ok(a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())));
    }
    if let (Some(a), Some(b)) = (a.read_lock::<ImmutableString>(), b.read_lock::<ImmutableString>())
    {
        return Ok(a.as_str().cmp(b.as_str()));
    }
    if let (Ok(a), Ok(b)) = (a.as_char(), b.as_char()) {
        return Ok(a.cmp(&b));
    }
    if let (Ok(a), Ok(b)) = (a.as_bool(), b.as_bool()) {
        return Ok(a.cmp(&b));
    }
    Err(Problem::new(format!(
        "{} and {} have no order",
        value::kind(a),
        value::kind(b)
    ))
    .help("give a comparison function, such as `array.sort(|a, b| a.id - b.id)`: below 0 if `a` comes first")
    .into())
}

fn compare_reversed(a: &Dynamic, b: &Dynamic) -> Result<Ordering> {
    compare_values(b, a)
}

/// Calls the comparison function of a script, which returns a number below 0 or `true` if `a` comes first.
fn compare_by(
    context: &NativeCallContext<'_>,
    by: &FnPtr,
    a: &Dynamic,
    b: &Dynamic,
) -> Result<Ordering> {
    let answer = by.call_raw(context, None, [a.clone(), b.clone()])?;
    if let Ok(first) = answer.as_bool() {
        return Ok(if first { Ordering::Less } else { Ordering::Greater });
    }
    match value::number(&answer) {
        Some(x) => Ok(x.partial_cmp(&0.0).unwrap_or(Ordering::Equal)),
        None => Err(Problem::new(format!(
            "a comparison function must return a number, but returned {}",
            value::kind(&answer)
        ))
        .help("return a number below 0 if the first value comes first, above 0 if the second does")
        .into()),
    }
}

/// Sorts with a merge sort, which is stable and ends whatever the comparison returns.
fn sorted(
    mut items: Array,
    mut compare: impl FnMut(&Dynamic, &Dynamic) -> Result<Ordering>,
) -> Result<Array> {
    // One comparison counts as one step.
    meter::spend(items.len() * items.len().max(1).ilog2() as usize)?;
    let mut width = 1;
    while width < items.len() {
        let mut merged = Array::with_capacity(items.len());
        let mut rest = items.into_iter().peekable();
        while rest.peek().is_some() {
            let left: Array = rest.by_ref().take(width).collect();
            let right: Array = rest.by_ref().take(width).collect();
            let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
            while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
                let next =
                    if compare(a, b)? == Ordering::Greater { right.next() } else { left.next() };
                merged.extend(next);
            }
            merged.extend(left);
            merged.extend(right);
        }
        items = merged;
        width *= 2;
    }
    Ok(items)
}
