//! Definitions on agents: properties of any agent, and what `me` can ask about its goal, other agents and the way ahead.

use super::define::define;
use crate::program::{AgentInteger, AgentNumber, AskOther};
use crate::steer::Vector;
use crate::world::{NO_ANCHOR_ROW, Question};

define! { on of;
    /// The number of the agent, unique in the whole run: ids of removed agents are not used again.
    Property "id"(agent: AnyAgent) -> Integer [KnowsOrder] { of.integer_of(agent, AgentInteger::Id)? }

    /// The index of the agent in its group, from 0 in the order of creation; also not used again.
    Property "index"(agent: AnyAgent) -> Integer { of.integer_of(agent, AgentInteger::Index)? }

    /// The name of the group of the agent.
    Property "group"(agent: AnyAgent) -> String { of.group_of(agent)? }

    /// The position of the agent, in world units.
    Property "pos"(agent: AnyAgent) -> Vector in "world units" { of.vector_of(agent, AgentNumber::PosX, AgentNumber::PosY)? }

    /// The velocity of the agent, in world units per second; a script can set `me.vel`.
    Property "vel"(agent: AnyAgent) -> Vector in "world units/s" { of.vector_of(agent, AgentNumber::VelX, AgentNumber::VelY)? }

    /// The heading of the agent: the unit vector that it faces along.
    Property "heading"(agent: AnyAgent) -> Vector { of.vector_of(agent, AgentNumber::HeadingX, AgentNumber::HeadingY)? }

    /// The speed of the agent: the length of its velocity, in world units per second.
    Property "speed"(agent: AnyAgent) -> Number in "world units/s" { of.number_of(agent, AgentNumber::Speed)? }

    /// The radius of the agent's body, in world units.
    Property "radius"(agent: AnyAgent) -> Number in "world units" { of.number_of(agent, AgentNumber::Radius)? }

    /// The mass of the agent's body: the acceleration is the force divided by it.
    Property "mass"(agent: AnyAgent) -> Number { of.number_of(agent, AgentNumber::Mass)? }

    /// The maximum speed of the agent, in world units per second; may be infinite.
    Property "max_speed"(agent: AnyAgent) -> Number in "world units/s" { of.number_of(agent, AgentNumber::MaxSpeed)? }

    /// The maximum force that can act on the agent; may be infinite. A force is mass times acceleration: with mass 1, a
    /// force of 10 adds 10 to the velocity per second.
    Property "max_force"(agent: AnyAgent) -> Number { of.number_of(agent, AgentNumber::MaxForce)? }

    /// The position of the current goal of `me`, in world units; `()` after the last goal.
    Property "goal"(me: Me) -> MaybeVector in "world units" [StableInTurn, ReadsGoals] { of.goal()?.0 }

    /// The distance from the current goal at which `me` has reached it, in world units; `()` after the last goal.
    Property "goal_radius"(me: Me) -> MaybeNumber in "world units" [ReadsGoals] { of.goal()?.1 }

    /// The path of `me`: its own, or that of its group; `()` if there is none.
    Property "path"(me: Me) -> MaybePath { of.own_path()? }

    /// The current waypoint of `me` on its path, in world units; `()` if it has no path.
    Property "waypoint"(me: Me) -> MaybeVector in "world units" { of.own_waypoint()? }

    /// The agent before `me` in its group: of those that are still there, the last one that was made earlier; `()` for the first agent. So a group can be a chain.
    Property "previous"(me: Me) -> MaybeAgent [Queries] { of.previous()? }

    /// Returns the position of the place of `me` in the formation of its group around an agent, in world units.
    Typed "place"(me: Me, anchor: Agent) -> FiniteVector in "world units" [Queries, NeedsFormation] {
        let row = of.to_number(of.integer_of(anchor, AgentInteger::Row)?);
        of.ask(Question::PlaceInFormation, [
            of.vector_of(anchor, AgentNumber::PosX, AgentNumber::PosY)?,
            of.vector_of(anchor, AgentNumber::HeadingX, AgentNumber::HeadingY)?,
            Vector::new(row, of.number(0.0)),
        ])?.0
    }

    /// Returns the position of the place of `me` in the formation of its group around a point, in world units; the formation faces along `heading`.
    Typed "place"(me: Me, anchor: Vector, heading: Vector) -> FiniteVector in "world units" [Queries, NeedsFormation] {
        let no_row = Vector::new(of.number(NO_ANCHOR_ROW), of.number(0.0));
        of.ask(Question::PlaceInFormation, [anchor, heading.unit(), no_row])?.0
    }

    /// Returns the offset from `me` to a point or an agent, in world units; the shortest one if the world wraps.
    Untyped "to"(me: Me, target: Point) -> Vector in "world units" { of.offset_to(target)? }

    /// Returns the distance from `me` to a point or the center of an agent, in world units; the shortest if the world wraps.
    Untyped "distance"(me: Me, target: Point) -> Number in "world units" { of.offset_to(target)?.norm() }

    /// Returns a random number from 0 up to but not including 1; each call returns another one.
    Typed "random"(me: Me) -> Number [IsRandom] { of.random()? }

    /// Returns a random number from `low` to `high`; each call returns another one.
    Untyped "random"(me: Me, low: Number, high: Number) -> Number [IsRandom] { low + (high - low) * of.random()? }

    /// Returns the time in seconds until `me` and another agent touch if both keep their velocities; 0 if they touch now, `()` if they never will.
    Untyped "time_to_collision"(me: Me, other: Agent) -> MaybeNumber in "s" {
        of.encounter(AskOther::TimeToCollision, other)?
    }

    /// Returns the time in seconds until the centers of `me` and another agent are nearest if both keep their velocities; 0 if they move apart or have the same velocity.
    Untyped "time_to_nearest_approach"(me: Me, other: Agent) -> Number in "s" {
        of.encounter(AskOther::TimeToNearest, other)?.value
    }

    /// Returns the distance between the centers of `me` and another agent when they are nearest, if both keep their velocities, in world units.
    Untyped "distance_at_nearest_approach"(me: Me, other: Agent) -> Number in "world units" {
        of.encounter(AskOther::DistanceAtNearest, other)?.value
    }

    /// Returns how far `me` could move with a velocity within `horizon` seconds until its body touches an obstacle, in world units; 0 if it touches one now.
    Untyped "free_distance"(me: Me, velocity: Vector, horizon: NotNegative in "s") -> Number in "world units"
    [Queries, ReadsObstacles] {
        of.free_distance(velocity, horizon)?
    }

    /// Returns the next point on the shortest way of `me` around obstacles to a point, in world units: a corner, or the point itself if it is in sight.
    Untyped "way_to"(me: Me, target: Point) -> FiniteVector in "world units" [Queries, ReadsObstacles, KnowsPlace, KnowsDirection] {
        of.ask(Question::Way, [target, of.zero(), of.zero()])?.0
    }

    /// Returns the length of the shortest way of `me` around obstacles to a point, in world units; to `way_end` of that point if no way leads there.
    Untyped "way_length"(me: Me, target: Point) -> Number in "world units" [Queries, ReadsObstacles, KnowsPlace, KnowsDirection] {
        of.ask(Question::Way, [target, of.zero(), of.zero()])?.1
    }

    /// Returns where the way of `me` to a point ends, in world units: the point itself or, if no way leads there, the nearest point that `me` can reach.
    Untyped "way_end"(me: Me, target: Point) -> FiniteVector in "world units" [Queries, ReadsObstacles, KnowsPlace, KnowsDirection] {
        of.ask(Question::WayEnd, [target, of.zero(), of.zero()])?.0
    }
}
