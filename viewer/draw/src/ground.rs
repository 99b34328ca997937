//! Draws what covers the ground: the amounts of layers as tints, and flow fields as arrows.

use flockwork_core::math::{self, Vec2};
use flockwork_core::world::{Field, Layer, Space};

use super::{Camera, Color, Palette, Pen, Picture, arrows};

/// The opacity of a cell with the full color, from 0 to 255.
const FULL: u8 = 200;
/// The distance between two arrows of a flow field, in pixels.
const SPACING: f32 = 30.0;
/// The length of the arrow of a flow of 1, and of all that are stronger, in pixels.
const ARROW: f32 = 22.0;

/// Tints the cells of layers by their amounts.
pub(super) fn layers(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    space: &Space,
    layers: &[Layer],
) {
    for (index, layer) in layers.iter().enumerate() {
        let largest = || layer.amounts.iter().copied().fold(0.0, math::max);
        let full = layer.appearance.full_at.unwrap_or_else(largest);
        if full > 0.0 {
            let color = layer.appearance.color.map_or(palette.of_layer(index), Color::from);
            tint(picture, camera, space, layer, color.alpha(FULL), full);
        }
    }
}

fn tint(
    picture: &mut Picture,
    camera: &Camera,
    space: &Space,
    layer: &Layer,
    color: Color,
    full: f32,
) {
    let (min, max) = (space.min, space.max());
    let cell = |at: f32, min: f32, max: f32, cells: usize| {
        (min..max).contains(&at).then(|| (((at - min) / layer.cell) as usize).min(cells - 1))
    };
    let columns: Vec<Option<usize>> = picture
        .centers_of_columns()
        .map(|x| cell(camera.place(Vec2::new(x, 0.0)).x, min.x, max.x, layer.columns))
        .collect();
    let mut last = None;
    picture.blend_rows(color, |y, cover| {
        let row = cell(camera.place(Vec2::new(0.0, y)).y, min.y, max.y, layer.rows());
        let Some(row) = row else { return false };
        if last.replace(row) != Some(row) {
            let amounts = &layer.amounts[row * layer.columns..][..layer.columns];
            for (cover, column) in cover.iter_mut().zip(&columns) {
                let amount = column.map_or(0.0, |column| amounts[column]);
                *cover = (math::min(amount / full, 1.0) * 255.0) as u8;
            }
        }
        true
    });
}

/// Draws flow fields as arrows, which are longer where the flow is stronger.
pub(super) fn fields(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    space: &Space,
    fields: &[Field],
) {
    let corner = picture.corner();
    let pen = Pen::new(palette.path.alpha(150), 1.0);
    for field in fields {
        let mut all = Vec::new();
        let mut y = 0.5 * SPACING;
        while y < corner.y {
            let mut x = 0.5 * SPACING;
            while x < corner.x {
                let pixel = Vec2::new(x, y);
                let flow = field.at(space, camera.place(pixel));
                // In pixels, y points down.
                let along = math::limit(Vec2::new(flow.x, -flow.y), 1.0) * ARROW;
                all.push((pixel - along * 0.5, pixel + along * 0.5, pen));
                x += SPACING;
            }
            y += SPACING;
        }
        arrows(picture, &all);
    }
}
