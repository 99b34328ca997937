//! Colors of agents that show a number: their speed, their heading, a value of their public state, or that of an expression.

use std::sync::Arc;

use flockwork_core::math;
use flockwork_core::world::{Agent, AgentId, Value, World};

use super::color::{Color, Palette};
use super::scale_bar::round_length;

/// What the color of agents shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ColorBy {
    /// Their group, or what the scenario says.
    #[default]
    Group,
    /// Their speed.
    Speed,
    /// The direction that they face.
    Heading,
    /// A number of their public state, by its name.
    State(String),
    /// A number that each agent has by an expression, in the order of ids: the expression and the numbers.
    Expression(String, Arc<[(AgentId, f32)]>),
}

/// The colors of the agents of a world.
pub struct AgentColors<'w> {
    world: &'w World,
    palette: &'w Palette,
    by: &'w ColorBy,
    /// Whether speeds are parts of the largest speed that each agent can have.
    is_share: bool,
    /// The numbers that have the first and the last color.
    range: [f32; 2],
}

impl ColorBy {
    /// Returns everything that the agents of a world can be colored by, in order.
    pub fn all(world: &World) -> Vec<Self> {
        let mut all = vec![Self::Group, Self::Speed, Self::Heading];
        for group in &world.groups {
            for (name, value) in group.public.iter() {
                let by = Self::State(name.to_owned());
                if matches!(value, Value::Float(_) | Value::Int(_)) && !all.contains(&by) {
                    all.push(by);
                }
            }
        }
        all
    }

    /// Returns the number of an agent that its color shows. `None` if the agent has no such number.
    fn number(&self, agent: &Agent<'_>) -> Option<f32> {
        match self {
            Self::Group => None,
            Self::Speed => Some(math::length(agent.vel())),
            Self::Heading => Some(math::angle(agent.heading())),
            Self::State(name) => match agent.state(name)? {
                Value::Float(number) => Some(number),
                Value::Int(number) => Some(number as f32),
                _ => None,
            },
            Self::Expression(_, numbers) => {
                let index = numbers.binary_search_by_key(&agent.id(), |(id, _)| *id).ok()?;
                Some(numbers[index].1)
            }
        }
    }
}

impl<'w> AgentColors<'w> {
    /// Chooses the colors for the agents of a world as they are now.
    pub fn new(world: &'w World, palette: &'w Palette, by: &'w ColorBy) -> Self {
        let mut limits = world.groups.iter().map(|group| group.body.max_speed);
        let first = limits.clone().next().unwrap_or_default();
        let has_limits = limits.clone().all(f32::is_finite);
        // Slow groups would all have one color beside a fast one.
        let is_share = *by == ColorBy::Speed && has_limits && limits.any(|limit| limit != first);
        let mut this = Self { world, palette, by, is_share, range: [0.0, 1.0] };
        this.range = match by {
            ColorBy::Group => this.range,
            ColorBy::Heading => [-std::f32::consts::PI, std::f32::consts::PI],
            // Of round numbers, so that colors seldom change as others become faster.
            ColorBy::Speed => rounded(this.seen()),
            ColorBy::State(_) | ColorBy::Expression(..) => this.seen(),
        };
        this
    }

    /// Returns the smallest and the largest number of the agents.
    fn seen(&self) -> [f32; 2] {
        let numbers = (0..self.world.agents.len()).filter_map(|row| self.number(row));
        let numbers = numbers.filter(|number| number.is_finite());
        numbers.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], number| {
            [math::min(low, number), math::max(high, number)]
        })
    }

    /// Returns the number of an agent that its color shows.
    fn number(&self, row: usize) -> Option<f32> {
        let agent = self.world.agent(row);
        let number = self.by.number(&agent)?;
        Some(if self.is_share { number / agent.body().max_speed } else { number })
    }

    /// Lets the colors also go through another range.
    #[must_use]
    pub fn with_range(mut self, [low, high]: [f32; 2]) -> Self {
        self.range = [math::min(self.range[0], low), math::max(self.range[1], high)];
        self
    }

    /// Returns whether the numbers are parts of the largest speed that each agent can have.
    pub fn is_share(&self) -> bool {
        self.is_share
    }

    /// Returns the color of an agent, by its row. `None` for the color of its group.
    pub fn color(&self, row: usize) -> Option<Color> {
        if *self.by == ColorBy::Group {
            return None;
        }
        let number = self.number(row)?;
        let [low, high] = self.range;
        // What differs by rounding only is the same.
        let is_same = high - low <= 1e-5 * math::max(low.abs(), high.abs());
        Some(self.at(if is_same { 0.0 } else { (number - low) / (high - low) }))
    }

    /// Returns the numbers that have the first and the last color. `None` if colors show none.
    pub fn range(&self) -> Option<[f32; 2]> {
        let is_shown = *self.by != ColorBy::Group && self.range[0] <= self.range[1];
        is_shown.then_some(self.range)
    }

    /// Returns the color at a share of the range, from 0 to 1.
    pub fn at(&self, share: f32) -> Color {
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        if *self.by == ColorBy::Heading {
            return wheel(share);
        }
        let [low, middle, high] = self.palette.ramp;
        Color::from(match share < 0.5 {
            true => low.mixed(middle, share * 2.0),
            false => middle.mixed(high, share * 2.0 - 1.0),
        })
    }
}

/// Returns a range of round numbers around another one, if that has a length.
fn rounded([low, high]: [f32; 2]) -> [f32; 2] {
    if high - low > high * 1e-3 {
        let step = round_length((high - low) / 2.0);
        [(low / step).floor() * step, (high / step).ceil() * step]
    } else {
        [low, high]
    }
}

/// Returns a color of a circle of colors without an end.
fn wheel(share: f32) -> Color {
    let part = |shift: f32| {
        let angle = (share + shift) * std::f32::consts::TAU;
        (128.0 + 92.0 * math::cos(angle)) as u8
    };
    Color { red: part(0.0), green: part(1.0 / 3.0), blue: part(2.0 / 3.0), alpha: 255 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::run;
    use crate::{DARK, LIGHT};

    #[test]
    fn colors_go_from_the_first_to_the_last_of_the_palette() {
        let run = run("(size: (40, 30))", "Points([(1, 1)])");
        let world = run.simulation().world();
        for palette in [&LIGHT, &DARK] {
            let by = ColorBy::State("heat".to_owned());
            let colors = AgentColors::new(world, palette, &by);
            let [low, middle, high] = palette.ramp.map(Color::from);
            assert_eq!([0.0, 0.5, 1.0].map(|share| colors.at(share)), [low, middle, high]);
            assert_eq!([colors.at(-3.0), colors.at(7.0), colors.at(f32::NAN)], [low, high, low]);
            // Nothing has such a number.
            assert_eq!(colors.range(), None);
        }
    }

    #[test]
    fn numbers_of_an_expression_have_colors_and_agents_without_one_have_none() {
        let run = run("(size: (40, 30))", "Points([(1, 1), (2, 2), (3, 3)])");
        let numbers = [(AgentId(0), -4.0), (AgentId(2), 6.0)];
        let by = ColorBy::Expression("me.speed".to_owned(), numbers.into());
        let colors = AgentColors::new(run.simulation().world(), &LIGHT, &by);
        assert_eq!(colors.range(), Some([-4.0, 6.0]));
        let [low, _, high] = LIGHT.ramp.map(Color::from);
        assert_eq!([0, 1, 2].map(|row| colors.color(row)), [Some(low), None, Some(high)]);
    }

    /// Caught: numbers that differ by rounding only had the colors of both ends.
    #[test]
    fn numbers_that_are_nearly_the_same_have_one_color() {
        let run = run("(size: (40, 30))", "Points([(1, 1), (2, 2)])");
        let colors = |second: f32| {
            let numbers = [(AgentId(0), 2.0), (AgentId(1), second)];
            let by = ColorBy::Expression("me.speed * 2".to_owned(), numbers.into());
            let colors = AgentColors::new(run.simulation().world(), &LIGHT, &by);
            [0, 1].map(|row| colors.color(row).unwrap())
        };
        let [a, b] = colors(2.000_000_2);
        assert_eq!(a, b);
        let [a, b] = colors(2.1);
        assert_ne!(a, b);
    }

    /// Caught: all agents of a slow group had one color beside a fast group, and all of a group that is slower than it may be.
    #[test]
    fn speeds_have_the_colors_of_those_that_occur() {
        let colors = |limit: f32, speeds: [f32; 3]| {
            let [a, b, c] = speeds;
            let run = crate::tests::run_of(&format!(
                "(world: (size: (40, 30)), groups: {{
                    \"a\": (spawn: Points([(1, 1)]), velocity: ({a}, 0), body: (max_speed: 40)),
                    \"b\": (spawn: Points([(2, 2)]), velocity: ({b}, 0), body: (max_speed: 40)),
                    \"c\": (spawn: Points([(3, 3)]), velocity: ({c}, 0), body: (max_speed: {limit})),
                }})"
            ));
            let colors = AgentColors::new(run.simulation().world(), &LIGHT, &ColorBy::Speed);
            // A range that was shown before stays in it.
            let wider = AgentColors::new(run.simulation().world(), &LIGHT, &ColorBy::Speed);
            assert_eq!(wider.with_range([-1.0, 99.0]).range(), Some([-1.0, 99.0]));
            (
                colors.is_share(),
                colors.range().unwrap(),
                [0, 1, 2].map(|row| colors.color(row).unwrap()),
            )
        };
        let [low, middle, high] = LIGHT.ramp.map(Color::from);
        assert_eq!(colors(40.0, [20.0, 25.0, 30.0]), (false, [20.0, 30.0], [low, middle, high]));
        assert_eq!(colors(40.0, [21.0, 25.0, 29.0]).1, [20.0, 30.0]);
        // Half of 40 is as fast as half of 10.
        let (is_share, range, colors) = colors(10.0, [0.0, 20.0, 5.0]);
        assert!(is_share && range == [0.0, 0.6], "{range:?}");
        assert_eq!(colors[1], colors[2]);
    }

    #[test]
    fn headings_have_colors_without_an_end() {
        let (first, last) = (wheel(0.0), wheel(1.0));
        assert!(first.green.abs_diff(last.green) <= 1 && first.red == last.red);
        let run = run("(size: (40, 30))", "Points([(1, 1)])");
        let colors = AgentColors::new(run.simulation().world(), &LIGHT, &ColorBy::Heading);
        assert_eq!(colors.color(0), Some(wheel(0.5)), "it faces along the x axis");
        assert_eq!(colors.range(), Some([-std::f32::consts::PI, std::f32::consts::PI]));
    }
}
