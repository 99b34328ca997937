//! From specs to layers.

use std::sync::Arc;

use serde::Deserialize;

use super::appearance;
use super::conditions;
use super::findings::Findings;
use super::ordered::{self, MayFail, Ordered};
use super::spanned::Spanned;
use crate::diag::{Code, Diagnostic};
use crate::number::{Length, Positive, PositiveLength};
use crate::schema::described;
use crate::world::{Area, Edge, Layer, LayerAppearance, MAX_DIFFUSION_STEPS, Space};

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "layer", deny_unknown_fields)]
    pub(super) struct LayerSpec {
        /// The side of a cell, in world units. In a world that wraps, whole cells must cover it.
        pub(super) cell: Spanned<PositiveLength>,
        /// The amount that each cell begins with. Default: 0.
        #[serde(default)]
        amount: Option<Length>,
        /// Areas that begin with other amounts; the last one that has the center of a cell counts. Default: none.
        #[serde(default, deserialize_with = "ordered::list")]
        pub(super) areas: Vec<Spanned<AmountAreaSpec>>,
        /// The share of an amount that evaporates, per second: after t seconds, exp(-evaporation t) of it is left. Default: 0.
        evaporation: Option<Length>,
        /// How fast amounts spread, in squared world units per second. Default: 0.
        diffusion: Option<Spanned<Length>>,
        /// The color of a cell with much when it is drawn, such as `"#009e73"`. Default: the next one of the palette.
        color: Option<Spanned<String>>,
        /// The amount with which a cell has the full color. Default: the largest amount that is there.
        full_at: Option<Positive>,
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "amount in an area", deny_unknown_fields)]
    pub(super) struct AmountAreaSpec {
        /// The area.
        pub(super) area: Spanned<Area>,
        /// The amount of each cell in it.
        amount: Length,
    }
}

impl MayFail for LayerSpec {
    fn has_failed(&self) -> bool {
        self.cell.has_failed()
            || self.areas.iter().any(MayFail::has_failed)
            || self.diffusion.as_ref().is_some_and(MayFail::has_failed)
            || self.color.as_ref().is_some_and(MayFail::has_failed)
    }
}

/// Checks all layers. `space` is `None` if it could not be read, and `dt` is in seconds.
pub(super) fn build(
    findings: &mut Findings<'_>,
    specs: &Ordered<LayerSpec>,
    space: Option<&Space>,
    dt: f32,
) -> Vec<Layer> {
    let names = findings.names("layer", specs);
    let Some(space) = space else { return Vec::new() };
    let all = specs.0.iter().zip(&names.all);
    all.filter_map(|((_, spec), name)| layer(findings, name, spec, space, dt)).collect()
}

fn layer(
    findings: &mut Findings<'_>,
    name: &Arc<str>,
    spec: &LayerSpec,
    space: &Space,
    dt: f32,
) -> Option<Layer> {
    let cell = findings.read(&spec.cell)?.0;
    if space.edge == Edge::Wrap && !is_covered(space, cell) {
        let (columns, rows) = crate::world::cells(space.size, cell);
        let wrong = Diagnostic::error(format!(
            "cells of {cell} do not cover a world of {} x {} that wraps",
            space.size.x, space.size.y
        ))
        .code(Code::OutOfRange)
        .label(format!("{columns} x {rows} of them reach over the edge"))
        .help("give a side by which width and height can be divided");
        findings.add(wrong, findings.span(&spec.cell));
        return None;
    }
    let mut layer = Layer::new(name, space, cell);
    let mut amounts = vec![spec.amount.map_or(0.0, |amount| amount.0); layer.amounts.len()];
    for one in &spec.areas {
        let Some(AmountAreaSpec { area, amount }) = findings.read(one) else { continue };
        let shape = conditions::shape(findings, area);
        let Some(shape) = shape else { continue };
        let mut is_empty = true;
        for (index, of_cell) in amounts.iter_mut().enumerate() {
            if shape.surface(layer.center(index)).distance <= 0.0 {
                *of_cell = amount.0;
                is_empty = false;
            }
        }
        if is_empty {
            let nothing = Diagnostic::warning("no cell has its center in this area")
                .help("make the area larger, or the cells smaller");
            findings.add(nothing, findings.span(area));
        }
    }
    layer.amounts = Arc::new(amounts);
    layer.evaporation = spec.evaporation.map_or(0.0, |rate| rate.0);
    if let Some(diffusion) = &spec.diffusion {
        layer.diffusion = findings.read(diffusion)?.0;
        let most = cell * cell / 4.0 * MAX_DIFFUSION_STEPS as f32 / dt;
        if layer.diffusion_steps(dt) > f64::from(MAX_DIFFUSION_STEPS) {
            let fast = Diagnostic::error(format!(
                "this spreads over more than {MAX_DIFFUSION_STEPS} cells in a tick"
            ))
            .code(Code::OutOfRange)
            .label(format!("at most {most} with these cells and this `dt`"))
            .help("use larger cells, or a smaller diffusion");
            findings.add(fast, findings.span(diffusion));
            return None;
        }
    }
    let color = match &spec.color {
        Some(color) => appearance::color(findings, color),
        None => None,
    };
    layer.appearance = LayerAppearance { color, full_at: spec.full_at.map(|amount| amount.0) };
    Some(layer)
}

/// Returns whether whole cells cover a world exactly, up to the rounding of floats.
fn is_covered(space: &Space, cell: f32) -> bool {
    let along = |size: f32| {
        let cells = f64::from(size) / f64::from(cell);
        (cells - cells.round()).abs() < 1e-5 * cells && cells >= 0.5
    };
    along(space.size.x) && along(space.size.y)
}
