//! Feeling for a free way.

use super::algebra::*;
use super::{Cause, Param, RADIANS, primitive};
use crate::math::{self, Vec2};
use crate::world::{Me, Question};

primitive! {
    /// Steers in the nearest direction that is free of obstacles, if the way ahead is not.
    ///
    /// Feelers are tried at the angles 0, step, -step, 2 * step and so on up to half a turn from the direction of travel; a
    /// feeler is free if the agent's disc, grown by margin, can move along it for length. force = unit(first free
    /// feeler) * speed - vel; zero if the way ahead is free
    ///
    /// A feeler is as wide as the body, so there are no gaps between it and rays beside it. Of two feelers at the same
    /// angle, the first is the one on the side to which the surface ahead leads; exactly head-on, the left one. At zero
    /// speed, the heading takes the place of the direction of travel. If no feeler is free, it is the one with the longest
    /// free way. If the agent already touches an obstacle, feelers are a little narrower than the way between the two;
    /// inside of an obstacle, the agent goes out.
    ///
    /// In a corner, a whisker on each side would push to the other side in turn, and the agent would go straight into the
    /// corner: the corner trap. Here, the further the agent has turned to one side, the nearer is the free feeler on this side.
    /// So it keeps turning until it is out.
    ///
    /// Source: gdx-ai, "Raycast Obstacle Avoidance", whose documentation names an adaptive fan as a way out of the trap and
    /// leaves it to the user. Its ray sets here: single and parallel sides are the feeler ahead, whiskers are the next ones.
    whiskers(
        me,
        length: Number = Param::number("length", "world units", "how far the feelers reach"),
        step: Number = Param::number("step", RADIANS, "the angle between two feelers; at least PI / 64").or(0.25),
        margin: Number = Param::number("margin", "world units", "the distance to keep from obstacles").or(0.0),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocityOrZero and sees_obstacles and needs_a_side {
        let (none, along) = (me.number(0.0), me.vel().unit());
        let ahead = choose(along.same(me.zero()), me.heading(), along);
        let length = length.least(me.number(LONGEST));
        let about = [ahead, Vector::new(length, step), Vector::new(margin, none)];
        let (way, free) = me.ask(me.always(), Question::FreeDirection, about);
        me.where_true(free.lt(length), || me.steer(way, speed))
    } reacts_to {
        obstacle_ahead(me, length, margin)
    }
}

/// Returns the obstacle on the way ahead as a cause.
fn obstacle_ahead(me: &Me<'_>, length: f32, margin: f32) -> Cause {
    let way = math::unit(me.vel());
    let ahead = if way == Vec2::ZERO { me.heading() } else { way };
    let length = math::min(length, LONGEST);
    if me.free_direction(ahead, length, 1.0, margin).1 >= length {
        return Cause::NothingAhead;
    }
    let radius = me.body().radius + margin;
    match me.world().first_hit(me.pos(), ahead, length, radius) {
        Some((id, hit)) => Cause::Obstacle {
            id,
            name: me.world().obstacle(id).name.clone(),
            at: hit.point,
            distance: hit.distance,
        },
        None => Cause::NothingAhead,
    }
}

/// The maximum length of a feeler, in world units: as far as anything in a world is.
const LONGEST: f32 = 1e15;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Shape;
    use crate::world::{Obstacle, World};

    fn wall(from: (f32, f32), to: (f32, f32)) -> Shape {
        Shape::Segment { from: Vec2::new(from.0, from.1), to: Vec2::new(to.0, to.1) }
    }

    /// Drives an agent from a place at an angle, and returns where it is after some seconds.
    fn drive(walls: &[Shape], mut pos: Vec2, angle: f32) -> Vec2 {
        let mut vel = math::rotated(Vec2::new(8.0, 0.0), angle);
        for _ in 0..400 {
            let mut world = World::example(&[(pos, vel)]);
            for shape in walls {
                world.obstacles.push(Obstacle { name: "it".into(), shape: shape.clone() });
            }
            let me = world.me(0);
            let feel = whiskers(&me, 10.0, 0.25, 0.5, 8.0);
            let force = if feel == Vec2::ZERO { me.heading() * 8.0 - vel } else { feel };
            vel = math::limit(vel + math::limit(force * 4.0, 50.0) * 0.05, 8.0);
            pos += vel * 0.05;
        }
        pos
    }

    /// Two whiskers that push away from their walls go on into the tip, in turn to the left and to the right.
    #[test]
    fn leaves_a_corner_of_60_degrees() {
        let (x, y) = (100.0 * 3f32.sqrt() / 2.0, 50.0);
        let walls = [wall((0.0, 0.0), (x, y)), wall((0.0, 0.0), (x, -y))];
        for start in 0..100 {
            // Toward the tip, up to 50 degrees off, from 20 units away.
            let angle = math::PI + (start as f32 - 49.5) / 49.5 * 50f32.to_radians();
            let end = drive(&walls, Vec2::new(20.0, 0.0), angle);
            assert!(end.x > 40.0, "start {start}: ends at {end}");
        }
    }

    #[test]
    fn leaves_a_dead_end() {
        let walls = [
            wall((0.0, -4.0), (0.0, 4.0)),
            wall((0.0, -4.0), (60.0, -4.0)),
            wall((0.0, 4.0), (60.0, 4.0)),
        ];
        for start in 0..100 {
            let angle = math::PI + (start as f32 - 49.5) / 49.5 * 70f32.to_radians();
            let end = drive(&walls, Vec2::new(20.0, 0.0), angle);
            assert!(end.x > 60.0, "start {start}: ends at {end}");
        }
    }

    #[test]
    fn a_free_way_needs_no_force() {
        let world = World::example(&[(Vec2::ZERO, Vec2::X)]);
        assert_eq!(whiskers(&world.me(0), 10.0, 0.25, 0.5, 8.0), Vec2::ZERO);
    }
}
