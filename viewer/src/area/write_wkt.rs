//! Areas as well-known text.

use super::{Area, Ring};

/// Writes an area as `POLYGON` or `MULTIPOLYGON`, with each ring closed by its first corner. Numbers are rounded to
/// the precision of the engine, which also removes the rounding of unions.
pub(crate) fn write_wkt(area: &Area) -> String {
    let polygons: Vec<String> = area.0.iter().map(|rings| polygon(rings)).collect();
    match &polygons[..] {
        [] => "POLYGON EMPTY".to_owned(),
        [only] => format!("POLYGON {only}"),
        several => format!("MULTIPOLYGON ({})", several.join(", ")),
    }
}

fn polygon(rings: &[Ring]) -> String {
    let rings: Vec<String> = rings.iter().map(ring).collect();
    format!("({})", rings.join(", "))
}

fn ring(corners: &Ring) -> String {
    let closed = corners.iter().chain(corners.first());
    // Adding 0 turns -0 into 0.
    let corners: Vec<String> =
        closed.map(|[x, y]| format!("{} {}", *x as f32 + 0.0, *y as f32 + 0.0)).collect();
    format!("({})", corners.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_polygon_or_several() {
        let one = Area::of_box([0.0, -0.0], [2.5, 1.0]);
        assert_eq!(write_wkt(&one), "POLYGON ((0 0, 2.5 0, 2.5 1, 0 1, 0 0))");
        let two = Area::union([one, Area::of_box([10.0, 0.1], [11.0, 1.0])]);
        assert_eq!(
            write_wkt(&two),
            "MULTIPOLYGON (((0 0, 2.5 0, 2.5 1, 0 1, 0 0)), ((10 0.1, 11 0.1, 11 1, 10 1, 10 0.1)))"
        );
        assert_eq!(write_wkt(&Area::default()), "POLYGON EMPTY");
    }
}
