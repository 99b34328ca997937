//! From specs to flow fields.

use std::sync::Arc;

use serde::Deserialize;

use super::findings::Findings;
use super::groups::script_name;
use super::ordered::{self, MayFail, Ordered};
use super::spanned::Spanned;
use crate::diag::{Diagnostic, Place};
use crate::math::Vec2;
use crate::number::{Finite, Point, PositiveLength};
use crate::schema::described;
use crate::world::{Field, FieldShape, Space, VectorGrid};

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "flow field", deny_unknown_fields)]
    pub(super) enum FieldSpec {
        /// Vectors around a center, counter-clockwise if the strength is positive.
        Vortex {
            /// The center.
            center: Point,
            /// The distance from the center at which the vectors are longest, in world units.
            radius: PositiveLength,
            /// The length there. Default: 1.
            strength: Option<Finite>,
        },
        /// A vector for each cell of a grid.
        Grid {
            /// The corner with the smallest coordinates. Default: that of the world.
            min: Option<Point>,
            /// The side of a cell, in world units.
            cell: Spanned<PositiveLength>,
            /// The vectors, row by row from the smallest y.
            #[serde(deserialize_with = "ordered::list")]
            vectors: Vec<Spanned<Vec<Point>>>,
        },
        /// Vectors that the function `flow(point)` of a script returns.
        Script {
            /// The name of the script.
            name: Spanned<String> => Script,
            /// The side of a cell, in world units.
            cell: Spanned<PositiveLength>,
        },
    }
}

impl MayFail for FieldSpec {
    fn has_failed(&self) -> bool {
        match self {
            Self::Vortex { .. } => false,
            Self::Grid { cell, vectors, .. } => {
                cell.has_failed() || vectors.iter().any(MayFail::has_failed)
            }
            Self::Script { name, cell } => name.has_failed() || cell.has_failed(),
        }
    }
}

/// A script that says what the vectors of a field are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldScript {
    /// The index of the field among those of the setup. It is a grid of zeros until the script is sampled.
    pub field: usize,
    /// The name of the script.
    pub name: String,
    /// The place where the name is written.
    pub place: Place,
}

/// Checks all fields. Those of scripts get grids of zeros.
pub(super) fn build(
    findings: &mut Findings<'_>,
    specs: &Ordered<FieldSpec>,
    space: &Space,
) -> (Vec<Field>, Vec<FieldScript>) {
    let names = findings.names("field", specs);
    let (mut fields, mut scripts) = (Vec::new(), Vec::new());
    for ((_, spec), name) in specs.0.iter().zip(&names.all) {
        let shape = match spec {
            FieldSpec::Vortex { center, radius, strength } => Some(FieldShape::Vortex {
                center: center.0,
                radius: radius.0,
                strength: strength.map_or(1.0, |strength| strength.0),
            }),
            FieldSpec::Grid { min, cell, vectors } => {
                let grid = cell;
                let cell = findings.read(cell).map(|cell| cell.0);
                let rows: Vec<_> = vectors.iter().map(|row| findings.read(row)).collect();
                let rows: Option<Vec<_>> = rows.into_iter().collect();
                let (Some(cell), Some(rows)) = (cell, rows) else { continue };
                let columns = rows.first().map_or(0, |row| row.len());
                if columns == 0 {
                    let place =
                        vectors.first().map_or(findings.span(grid), |row| findings.span(row));
                    findings.error("a grid needs at least one vector", place);
                    continue;
                }
                if let Some(row) = rows.iter().position(|row| row.len() != columns) {
                    let (row, has) = (&vectors[row], rows[row].len());
                    let wrong = Diagnostic::error("the rows of a grid must have the same length")
                        .label(format!("this row has {has} vectors, the first one {columns}"));
                    findings.add(wrong, findings.first_word(row));
                    continue;
                }
                let vectors = rows.iter().copied().flatten().map(|vector| vector.0).collect();
                let min = min.map_or(space.min, |min| min.0);
                Some(FieldShape::Grid(VectorGrid { min, cell, columns, vectors }))
            }
            FieldSpec::Script { name, cell } => {
                let cell = findings.read(cell).copied();
                let script = findings.read(name).cloned();
                let (Some(cell), Some(script)) = (cell, script) else { continue };
                script_name(findings, &script, findings.span(name), "a script");
                scripts.push(FieldScript {
                    field: fields.len(),
                    name: script,
                    place: findings.place(name),
                });
                let (columns, rows) = cells(space.size, cell);
                Some(FieldShape::Grid(VectorGrid {
                    min: space.min,
                    cell: cell.0,
                    columns: columns as usize,
                    vectors: vec![Vec2::ZERO; (columns * rows) as usize].into(),
                }))
            }
        };
        fields.extend(shape.map(|shape| Field { name: Arc::clone(name), shape }));
    }
    (fields, scripts)
}

/// Returns the number of columns and rows of cells that cover a world.
pub(super) fn cells(size: Vec2, cell: PositiveLength) -> (u64, u64) {
    let along = |size: f32| (f64::from(size) / f64::from(cell.0)).ceil().clamp(1.0, 1e9) as u64;
    (along(size.x), along(size.y))
}
