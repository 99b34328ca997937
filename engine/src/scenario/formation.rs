//! Checks formations.

use serde::Deserialize;

use super::findings::Findings;
use super::spanned::Spanned;
use super::surroundings::{direction, vectors};
use crate::diag::{Code, Diagnostic};
use crate::number::{AtLeastOne, Finite, Point, Positive, PositiveLength};
use crate::schema::described;
use crate::world::{Formation, FormationShape};

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "formation", deny_unknown_fields)]
    pub(super) enum FormationSpec {
        /// Side by side, across the heading of the anchor.
        Line {
            /// The distance between neighbors, in world units.
            spacing: PositiveLength,
            /// How far the formation is behind the anchor, in world units. Default: `spacing` for a line, a column and a grid, else 0.
            behind: Option<Finite>,
        },
        /// One behind the other.
        Column {
            /// The distance between neighbors, in world units.
            spacing: PositiveLength,
            /// How far the formation is behind the anchor, in world units. Default: `spacing` for a line, a column and a grid, else 0.
            behind: Option<Finite>,
        },
        /// Two arms that go back from the anchor.
        Wedge {
            /// The distance between neighbors, in world units.
            spacing: PositiveLength,
            /// The angle between the arms, in degrees. Default: 90.
            angle_deg: Option<Spanned<Positive>>,
            /// How far the formation is behind the anchor, in world units. Default: `spacing` for a line, a column and a grid, else 0.
            behind: Option<Finite>,
        },
        /// Around the anchor.
        Circle {
            /// The distance between neighbors, in world units.
            spacing: PositiveLength,
            /// How far the formation is behind the anchor, in world units. Default: `spacing` for a line, a column and a grid, else 0.
            behind: Option<Finite>,
        },
        /// Rows; the last one is centered.
        Grid {
            /// The distance between neighbors, in world units.
            spacing: PositiveLength,
            /// Number of places in a row.
            columns: AtLeastOne,
            /// How far the formation is behind the anchor, in world units. Default: `spacing` for a line, a column and a grid, else 0.
            behind: Option<Finite>,
        },
        /// Your own places.
        Places {
            /// Offsets: x ahead of the anchor, y to its left.
            at: Spanned<Vec<Point>>,
            /// The distance between neighbors, in world units.
            spacing: PositiveLength,
            /// How far the formation is behind the anchor, in world units. Default: `spacing` for a line, a column and a grid, else 0.
            behind: Option<Finite>,
        },
    }
}

/// The default angle between the arms of a wedge, in degrees.
const WEDGE_ANGLE_DEG: f32 = 90.0;

/// Returns the formation as it is written. Rows begin one spacing behind the anchor, which is in front of them; the other
/// shapes leave room for it.
pub(super) fn build(
    findings: &mut Findings<'_>,
    spec: &Spanned<FormationSpec>,
) -> Option<Formation> {
    let (shape, spacing, behind, is_in_rows) = match findings.read(spec)? {
        FormationSpec::Line { spacing, behind } => (FormationShape::Line, spacing, behind, true),
        FormationSpec::Column { spacing, behind } => {
            (FormationShape::Column, spacing, behind, true)
        }
        FormationSpec::Wedge { spacing, angle_deg, behind } => {
            let angle = match angle_deg {
                Some(written) => wedge_angle(findings, written)?,
                None => WEDGE_ANGLE_DEG,
            };
            let arm = direction(180.0 - angle * 0.5);
            (FormationShape::Wedge { arm }, spacing, behind, false)
        }
        FormationSpec::Circle { spacing, behind } => {
            (FormationShape::Circle, spacing, behind, false)
        }
        FormationSpec::Grid { spacing, columns, behind } => {
            let columns = columns.get_u32();
            (FormationShape::Grid { columns }, spacing, behind, true)
        }
        FormationSpec::Places { at, spacing, behind } => {
            let places = vectors(findings.read(at)?);
            if places.is_empty() {
                findings.error("list at least one place", findings.span(at));
            }
            (FormationShape::Places(places.into()), spacing, behind, false)
        }
    };
    let default = if is_in_rows { spacing.0 } else { 0.0 };
    let behind = behind.map_or(default, |Finite(behind)| behind);
    Some(Formation { shape, spacing: spacing.0, behind })
}

/// Returns the angle between the arms of a wedge, in degrees.
fn wedge_angle(findings: &mut Findings<'_>, written: &Spanned<Positive>) -> Option<f32> {
    let Positive(angle) = *findings.read(written)?;
    if angle < 360.0 {
        return Some(angle);
    }
    let wrong = Diagnostic::error(format!("expected an angle below 360 degrees, found `{angle}`"))
        .help("90 is a wedge, 180 a line, and 270 an open mouth with the anchor behind");
    findings.add(wrong.code(Code::OutOfRange), findings.span(written));
    None
}
