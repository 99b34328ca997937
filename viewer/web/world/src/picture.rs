//! The picture of a world, and the camera.

use flockwork_draw as draw;
use flockwork_draw::{Camera, DARK, LIGHT, Palette, Picture, Rect, Trail};
use flockwork_engine::live::{Judged, Session};
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::sim::NextTurn;
use flockwork_engine::world::{AgentId, World};

/// Distance of the world from the rim of the picture, in pixels.
const MARGIN: u32 = 8;
/// With more agents than this, there are no trails: they would cover everything.
const MAX_TRAILS: usize = 2000;

/// How a world is shown.
pub(crate) struct View {
    picture: Picture,
    /// Width and height, in pixels of the page.
    size: (u32, u32),
    /// Where the camera looks; `None` if it shows the whole world.
    camera: Option<Camera>,
    pub(crate) is_following: bool,
    pub(crate) is_dark: bool,
    pub(crate) has_trails: bool,
    /// The part of an open world that has been shown: it only grows, so that the picture is steady.
    shown: Rect,
}

impl View {
    /// Returns a view of a whole world.
    pub(crate) fn new(world: &World) -> Self {
        Self {
            picture: Picture::new((1, 1), LIGHT.ground),
            size: (1, 1),
            camera: None,
            is_following: false,
            is_dark: false,
            has_trails: false,
            shown: Rect::of_world(world),
        }
    }

    pub(crate) fn palette(&self) -> &'static Palette {
        if self.is_dark { &DARK } else { &LIGHT }
    }

    /// Returns the present camera.
    pub(crate) fn camera(&self, world: &World) -> Camera {
        self.camera.map_or_else(|| self.whole(world), |camera| camera.resized(self.size))
    }

    fn whole(&self, world: &World) -> Camera {
        Camera::fit(self.shown.joined(Rect::of_world(world)), self.size, MARGIN)
    }

    /// Shows the whole world.
    pub(crate) fn fit(&mut self) {
        self.camera = None;
        self.is_following = false;
    }

    /// Moves the picture to the right and down, in pixels.
    pub(crate) fn pan(&mut self, world: &World, dx: f32, dy: f32) {
        self.camera = Some(self.camera(world).panned(dx, dy));
        self.is_following = false;
    }

    /// Magnifies the picture around a place of it, in pixels.
    pub(crate) fn zoom(&mut self, world: &World, factor: f32, around: Vec2) {
        let whole = self.whole(world);
        self.camera = Some(self.camera(world).zoomed(factor, around, &whole));
    }

    /// Returns the id of the agent at a place of the picture, in pixels.
    pub(crate) fn agent_at(&self, world: &World, at: Vec2) -> Option<AgentId> {
        draw::agent_at(world, &self.camera(world), at, |_| true)
    }

    /// Draws a world and the decision of its selected agent, and returns the bytes of the pixels.
    pub(crate) fn draw(
        &mut self,
        session: &Session,
        next_turn: Option<&NextTurn>,
        (width, height): (f32, f32),
        ratio: f32,
    ) -> &[u8] {
        let world: &World = session.simulation().world();
        let pixels = |length: f32| math::max(length * ratio, 1.0).round() as u32;
        self.size = (width as u32, height as u32);
        self.picture.resize((pixels(width), pixels(height)), ratio);
        self.shown = self.shown.joined(Rect::of_world(world));
        if let Some(turn) = next_turn.filter(|_| self.is_following) {
            self.camera = Some(self.camera(world).centered(turn.pos));
        }
        let (camera, palette) = (self.camera(world), self.palette());
        let picture = &mut self.picture;
        draw::background(picture, &camera, palette, world.into());
        let colors = palette.colors_of(&world.groups);
        let goals = world.groups.iter().map(|group| &group.goals[..]);
        draw::goals(picture, &camera, colors.iter().copied().zip(goals));
        // Agents and their trails are drawn over it, since a small world has no free corner.
        draw::scale_bar(picture, &camera, palette, height);
        if self.has_trails && world.agents.len() <= MAX_TRAILS {
            trails(picture, &camera, session, &colors);
        }
        draw::signs(picture, &camera, palette, world, |_| true);
        let colors = draw::AgentColors::new(world, palette, &draw::ColorBy::Group);
        let marks = draw::marks(world, &camera, palette, |_| true, &colors);
        draw::agents(picture, &camera, palette, &world.space, &marks);
        draw::labels(picture, &camera, palette, world, |_| true);
        if let Some(turn) = next_turn {
            draw::decision(picture, &camera, palette, world, turn, false);
            let failures = session.judged().into_iter().flat_map(Judged::failures);
            draw::failed_with(picture, &camera, palette, world, failures, turn.id);
        }
        self.picture.rgba()
    }
}

/// Draws where the agents were in the last ticks.
fn trails(picture: &mut Picture, camera: &Camera, session: &Session, colors: &[draw::Color]) {
    let (world, tick) = (session.simulation().world(), session.tick());
    let since = tick.saturating_sub(draw::trail_ticks(world));
    let rows: Vec<_> = session.tracks().between(since, tick).collect();
    let agents = world.agents.id.iter().zip(&world.agents.group);
    let tracks: Vec<(Vec<Vec2>, draw::Color)> = agents
        .map(|(&id, group)| {
            let places = rows.iter().filter_map(|(_, row)| row.position(id)).collect();
            (places, colors[usize::from(group.0)])
        })
        .collect();
    let trails = tracks.iter().map(|(places, color)| Trail { places, color: *color });
    draw::trails(picture, camera, &world.space, trails);
}
