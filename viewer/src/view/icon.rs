//! The icons of buttons, drawn with triangles and bars.

use flockwork_engine::math::{self, Vec2};

use crate::draw::{Color, Pen, Picture};

/// The picture on a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Icon {
    First,
    Back,
    Play,
    Pause,
    Forward,
    Last,
    Slower,
    Faster,
    /// The one before and the one after in a list.
    Previous,
    Next,
    /// An arrow that goes around and back.
    Reset,
    Help,
    /// A cross that closes something.
    Close,
    /// A plus that adds something.
    Add,
}

/// Half the height of an icon, in pixels.
const HALF: f32 = 6.0;

impl Icon {
    /// Draws the icon around a point, in pixels.
    pub(super) fn draw(self, picture: &mut Picture, at: Vec2, color: Color) {
        let mut triangle = |left: f32, right: f32| {
            let corners = [(left, -HALF), (right, 0.0), (left, HALF)];
            picture.polygon(&corners.map(|(x, y)| at + Vec2::new(x, y)), color);
        };
        match self {
            Self::First => triangle(6.0, -4.0),
            Self::Back => triangle(2.0, -7.0),
            Self::Play => triangle(-4.0, 7.0),
            Self::Forward => triangle(-2.0, 7.0),
            Self::Last => triangle(-6.0, 4.0),
            Self::Slower => [7.0, 0.0].into_iter().for_each(|x| triangle(x, x - 7.0)),
            Self::Faster => [-7.0, 0.0].into_iter().for_each(|x| triangle(x, x + 7.0)),
            Self::Previous => triangle(4.0, -5.0),
            Self::Next => triangle(-4.0, 5.0),
            Self::Pause | Self::Reset | Self::Help | Self::Close | Self::Add => {}
        }
        let mut bar = |left: f32, width: f32| {
            let min = at + Vec2::new(left, -HALF);
            picture.fill_rect(min, min + Vec2::new(width, 2.0 * HALF), color);
        };
        match self {
            Self::First => bar(-7.0, 2.0),
            Self::Back => bar(5.0, 2.0),
            Self::Pause => [-5.0, 2.0].into_iter().for_each(|x| bar(x, 3.0)),
            Self::Forward => bar(-7.0, 2.0),
            Self::Last => bar(5.0, 2.0),
            Self::Help => {
                picture.circle(at, 8.0, Pen::new(color, 1.2));
                let (size, left) = (13.0, crate::draw::text_width("?", 13.0) / 2.0);
                let base = at + Vec2::new(-left, 4.5);
                crate::draw::text(picture, base, crate::draw::Anchor::Left, size, color, "?");
            }
            Self::Reset => {
                let place = |degrees: f32, radius: f32| {
                    let angle = degrees.to_radians();
                    at + radius * Vec2::new(math::cos(angle), -math::sin(angle))
                };
                let arc: Vec<Vec2> = (-20..=13).map(|ten| place(ten as f32 * 10.0, 5.0)).collect();
                picture.line(&arc, false, Pen::new(color, 1.5));
                picture.polygon(&[place(133.0, 8.5), place(133.0, 1.5), place(185.0, 5.0)], color);
            }
            Self::Close => {
                for side in [-4.0, 4.0] {
                    let half = Vec2::new(side, 4.0);
                    picture.line(&[at - half, at + half], false, Pen::new(color, 1.5));
                }
            }
            Self::Add => {
                for half in [Vec2::new(5.0, 0.0), Vec2::new(0.0, 5.0)] {
                    picture.line(&[at - half, at + half], false, Pen::new(color, 1.5));
                }
            }
            _ => {}
        }
    }
}
