//! Params as knobs: single numbers that keys and wheel change in steps that suit their size.

use flockwork_engine::math::Vec2;
use flockwork_engine::world::{Value, Values};

/// A number or boolean in the params of a group that can be changed in steps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Knob {
    /// The param it belongs to.
    pub(super) param: String,
    /// The component of the param.
    pub(super) component: Component,
}

/// A component of a param.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Component {
    /// The whole value: a number or a boolean.
    Whole,
    /// The x of a vector.
    X,
    /// The y of a vector.
    Y,
}

/// Returns the knobs of params: numbers, booleans and the components of vectors, ordered by name.
pub(super) fn knobs(params: &Values) -> Vec<Knob> {
    let mut knobs = Vec::new();
    for (param, value) in params.iter() {
        let components: &[Component] = match value {
            Value::Bool(_) | Value::Int(_) | Value::Float(_) => &[Component::Whole],
            Value::Vector(_) => &[Component::X, Component::Y],
            _ => &[],
        };
        knobs.extend(
            components.iter().map(|&component| Knob { param: param.to_owned(), component }),
        );
    }
    knobs
}

impl Knob {
    /// Returns the name to show: that of the param, with `.x` or `.y` for a vector.
    pub(super) fn name(&self) -> String {
        match self.component {
            Component::Whole => self.param.clone(),
            Component::X => format!("{}.x", self.param),
            Component::Y => format!("{}.y", self.param),
        }
    }

    /// Returns the current value as text; empty if there is no such value.
    pub(super) fn value_text(&self, params: &Values) -> String {
        match (params.get(&self.param), self.component) {
            (Some(Value::Bool(x)), _) => x.to_string(),
            (Some(Value::Int(x)), _) => x.to_string(),
            (Some(Value::Float(x)), _) => x.to_string(),
            (Some(Value::Vector(at)), Component::Y) => at.y.to_string(),
            (Some(Value::Vector(at)), _) => at.x.to_string(),
            _ => String::new(),
        }
    }

    /// Returns the current value if it is a number.
    pub(super) fn number(&self, params: &Values) -> Option<f32> {
        match (params.get(&self.param)?, self.component) {
            (Value::Int(x), _) => Some(*x as f32),
            (Value::Float(x), _) => Some(*x),
            (Value::Vector(at), Component::Y) => Some(at.y),
            (Value::Vector(at), _) => Some(at.x),
            _ => None,
        }
    }

    /// Returns the param after this many steps up, or down if negative. `None` if it is neither a number, a boolean nor a
    /// vector, or if the result does not fit.
    pub(super) fn stepped(&self, params: &Values, steps: f32) -> Option<Value> {
        Some(match (params.get(&self.param)?, self.component) {
            (Value::Bool(x), _) => Value::Bool(!x),
            (Value::Int(x), _) => Value::Int(x.checked_add(steps as i64)?),
            (Value::Float(x), _) => Value::Float(stepped(*x, steps)?),
            (Value::Vector(at), Component::Y) => {
                Value::Vector(Vec2::new(at.x, stepped(at.y, steps)?))
            }
            (Value::Vector(at), _) => Value::Vector(Vec2::new(stepped(at.x, steps)?, at.y)),
            _ => return None,
        })
    }
}

/// Returns a number after some steps. A step is a tenth of the unit of the leading digit, so that any size is reached
/// in few steps and the number stays short.
fn stepped(x: f32, steps: f32) -> Option<f32> {
    let mut power = -1;
    let size = f64::from(x.abs());
    if size > 0.0 {
        // The power of ten of the leading digit, taken from the decimal representation.
        let text = format!("{:e}", x.abs());
        let exponent: i32 = text.split_once('e')?.1.parse().ok()?;
        power = exponent - 1;
    }
    // Below a power of ten, numbers have smaller steps.
    if size > 0.0 && f64::from(steps) * f64::from(x) < 0.0 && is_power_of_ten(x.abs()) {
        power -= 1;
    }
    let scale = |digits: f64| format!("{digits}e{power}").parse::<f32>().ok();
    let unit = f64::from(scale(1.0)?);
    let digits = (f64::from(x) / unit).round() + f64::from(steps);
    scale(digits).filter(|x| x.is_finite())
}

fn is_power_of_ten(x: f32) -> bool {
    let text = format!("{x:e}");
    text.starts_with("1e")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_suits_the_number() {
        for (from, steps, to) in [
            (1.5, 1.0, 1.6),
            (1.6, -1.0, 1.5),
            (80.0, 1.0, 81.0),
            (80.0, -10.0, 70.0),
            (100.0, -1.0, 99.0),
            (100.0, 1.0, 110.0),
            (0.0, 1.0, 0.1),
            (0.1, -1.0, 0.099),
            (-2.0, 1.0, -1.9),
            (0.002, 1.0, 0.0021),
            (0.01, 1.0, 0.011),
            (0.01, -1.0, 0.0099),
        ] {
            assert_eq!(stepped(from, steps), Some(to), "{from} by {steps}");
        }
        assert_eq!(stepped(f32::MAX, 100.0), None);
    }

    #[test]
    fn vectors_have_a_knob_for_each_component() {
        let params: Values = [
            ("at".into(), Value::Vector(Vec2::new(1.0, 2.0))),
            ("calm".into(), Value::Bool(true)),
            ("name".into(), Value::String("x".into())),
        ]
        .into_iter()
        .collect();
        let knobs = knobs(&params);
        let names: Vec<String> = knobs.iter().map(Knob::name).collect();
        assert_eq!(names, ["at.x", "at.y", "calm"]);
        assert_eq!(knobs[1].stepped(&params, 1.0), Some(Value::Vector(Vec2::new(1.0, 2.1))));
        assert_eq!(knobs[2].stepped(&params, 1.0), Some(Value::Bool(false)));
    }
}
