//! Draws what the scenario shows around agents: lines, circles, cones and labels.

use flockwork_core::math::{self, Vec2};
use flockwork_core::world::{Agent, AgentSign, GroupId, Value, World};

use super::text::text_with_halo;
use super::{Camera, Color, Palette, Pen, Picture};

/// With more agents than this, no labels are drawn: nobody could read them.
const MAX_LABELS: usize = 400;
/// With more agents than this, no signs are drawn: they would hide each other.
const MAX_SIGNS: usize = 2000;
/// The size of a label, in pixels.
const LABEL_SIZE: f32 = 11.0;
/// The distance of a label from the body of its agent, in pixels.
const LABEL_GAP: f32 = 8.0;
/// The longest label, in characters.
const MAX_LABEL: usize = 40;
/// Number of lines that the arc of a whole circle is made of.
const ARC_LINES: f32 = 48.0;
/// The same for arcs that obstacles may cut.
const ARC_LINES_BEHIND_OBSTACLES: f32 = 360.0;

/// Draws the signs of agents, which lie under them.
pub fn signs(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    world: &World,
    is_shown: impl Fn(GroupId) -> bool,
) {
    if world.agents.len() > MAX_SIGNS {
        return;
    }
    for agent in world.iter().filter(|agent| is_shown(agent.group_id())) {
        let signs = &agent.group().appearance.signs;
        if !signs.is_empty() {
            let color = super::world::color_of(palette, &agent);
            signs.iter().for_each(|one| sign(picture, camera, world, &agent, one, color));
        }
    }
}

fn sign(
    picture: &mut Picture,
    camera: &Camera,
    world: &World,
    agent: &Agent<'_>,
    sign: &AgentSign,
    color: Color,
) {
    let at = camera.pixel(agent.pos());
    match sign {
        AgentSign::Line { to } => {
            let target = match agent.state(to) {
                Some(Value::Agent(id)) => world.find(id).map(|other| other.pos()),
                Some(Value::Vector(point)) => Some(point),
                _ => None,
            };
            if let Some(target) = target {
                // The shortest way, also across the edge.
                let end = agent.pos() + world.space.offset(agent.pos(), target);
                let pen = Pen { dash: Some(4.0), ..Pen::new(color.alpha(170), 1.2) };
                picture.line(&[at, camera.pixel(end)], false, pen);
            }
        }
        AgentSign::Circle { radius } => {
            let radius = camera.pixels(radius.of(agent));
            if radius > 0.0 {
                picture.circle(at, radius, Pen::new(color.alpha(120), 1.2));
            }
        }
        AgentSign::Cone { radius, angle_deg } => {
            let (radius, angle) = (radius.of(agent), math::min(angle_deg.of(agent), 360.0));
            if camera.pixels(radius) >= 1.0 && angle > 0.0 {
                let corners = cone(camera, world, agent, radius, angle * math::PI / 180.0);
                picture.polygon(&corners, color.alpha(36));
                picture.line(&corners, true, Pen::new(color.alpha(80), 1.0));
            }
        }
    }
}

/// Returns the corners of a sector around the heading of an agent, in pixels. Obstacles hide what is behind them.
fn cone(camera: &Camera, world: &World, agent: &Agent<'_>, radius: f32, angle: f32) -> Vec<Vec2> {
    let pos = agent.pos();
    let lines = if world.obstacles.is_empty() { ARC_LINES } else { ARC_LINES_BEHIND_OBSTACLES };
    let lines = math::max((lines * angle / (2.0 * math::PI)).ceil(), 1.0);
    let middle = math::angle(agent.heading());
    let corner = |line: f32| {
        let end = pos + math::direction(middle + angle * (line / lines - 0.5)) * radius;
        camera.pixel(world.ray(pos, end).unwrap_or(end))
    };
    let arc = (0..=lines as usize).map(|line| corner(line as f32));
    std::iter::once(camera.pixel(pos)).chain(arc).collect()
}

/// Writes the labels of agents beside them.
pub fn labels(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    world: &World,
    is_shown: impl Fn(GroupId) -> bool,
) {
    if world.agents.len() > MAX_LABELS {
        return;
    }
    for agent in world.iter().filter(|agent| is_shown(agent.group_id())) {
        let Some(name) = &agent.group().appearance.label else { continue };
        let label = match agent.state(name) {
            Some(Value::Float(x)) => math::short(x),
            Some(Value::String(words)) => words.chars().take(MAX_LABEL).collect(),
            Some(Value::Nothing) | None => continue,
            Some(value) => value.to_string(),
        };
        let aside = math::max(camera.pixels(agent.body().radius), 6.0) + LABEL_GAP;
        let at = camera.pixel(agent.pos()) + Vec2::new(aside, LABEL_SIZE * 0.35);
        text_with_halo(picture, at, LABEL_SIZE, palette.ink, palette.ground, &label);
    }
}
