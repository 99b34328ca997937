//! Agents: `me`, others, and what `me` can ask about others and the way ahead.

use super::define::define;
use crate::program::{AgentInteger, AgentNumber, AskOther};
use crate::steer::Vector;

define! { on of;
    /// Its number among all agents there have been; never used again.
    Property "id"(agent: Someone) -> Integer { of.integer_of(agent, AgentInteger::Id)? }

    /// Its place in its group.
    Property "index"(agent: Someone) -> Integer { of.integer_of(agent, AgentInteger::Index)? }

    /// The name of its group.
    Property "group"(agent: Someone) -> Text { of.group_of(agent)? }

    /// Where it is.
    Property "pos"(agent: Someone) -> Vector in "world units" { of.vector_of(agent, AgentNumber::PosX, AgentNumber::PosY)? }

    /// Its velocity.
    Property "vel"(agent: Someone) -> Vector in "world units/s" { of.vector_of(agent, AgentNumber::VelX, AgentNumber::VelY)? }

    /// The unit vector it looks along.
    Property "heading"(agent: Someone) -> Vector { of.vector_of(agent, AgentNumber::HeadingX, AgentNumber::HeadingY)? }

    /// How fast it is.
    Property "speed"(agent: Someone) -> Number in "world units/s" { of.number_of(agent, AgentNumber::Speed)? }

    /// The radius of its body.
    Property "radius"(agent: Someone) -> Number in "world units" { of.number_of(agent, AgentNumber::Radius)? }

    /// The mass of its body.
    Property "mass"(agent: Someone) -> Number { of.number_of(agent, AgentNumber::Mass)? }

    /// The maximum speed it can have; may be infinite.
    Property "max_speed"(agent: Someone) -> Number in "world units/s" { of.number_of(agent, AgentNumber::MaxSpeed)? }

    /// The greatest force that can act on it; may be infinite.
    Property "max_force"(agent: Someone) -> Number { of.number_of(agent, AgentNumber::MaxForce)? }

    /// The goal it is after; `()` after the last one.
    Property "goal"(me: Me) -> MaybeVector in "world units" [Lasts, SeesGoals] { of.goal()?.0 }

    /// How near it has to come to its goal; `()` after the last one.
    Property "goal_radius"(me: Me) -> MaybeNumber in "world units" [SeesGoals] { of.goal()?.1 }

    /// The path of its group; `()` if there is none.
    Property "path"(me: Me) -> MaybePath { of.own_path()? }

    /// The current waypoint on the path of its group; `()` if there is none.
    Property "waypoint"(me: Me) -> MaybeVector in "world units" { of.own_waypoint()? }

    /// The way to a point or an agent: the shortest one, across the edge in a world that wraps.
    Open "to"(me: Me, target: Point) -> Vector in "world units" { of.way_to(target)? }

    /// How far it is to a point or an agent.
    Open "distance"(me: Me, target: Point) -> Number in "world units" { of.way_to(target)?.norm() }

    /// A random number from 0 to 1, another one with each call.
    Fixed "random"(me: Me) -> Number { of.draw()? }

    /// A random number between two others, another one with each call.
    Open "random"(me: Me, low: Number, high: Number) -> Number { low + (high - low) * of.draw()? }

    /// The seconds until it touches another agent if both keep their velocities; `()` if they never will.
    Open "time_to_collision"(me: Me, other: Agent) -> MaybeNumber in "s" {
        of.encounter(AskOther::TimeToCollision, other)?
    }

    /// The seconds until the centers of it and another agent are nearest if both keep their velocities.
    Open "time_to_nearest_approach"(me: Me, other: Agent) -> Number in "s" {
        of.encounter(AskOther::TimeToNearest, other)?.value
    }

    /// How far apart the centers of it and another agent are when they are nearest.
    Open "distance_at_nearest_approach"(me: Me, other: Agent) -> Number in "world units" {
        of.encounter(AskOther::DistanceAtNearest, other)?.value
    }

    /// How far it could go with a velocity before it touches an obstacle, at most for so many seconds.
    Open "free_distance"(me: Me, velocity: Vector, horizon: NotNegative in "s") -> Number in "world units"
    [Asks, SeesObstacles] {
        of.free(velocity, horizon)?
    }
}
