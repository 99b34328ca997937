//! Params as knobs: single numbers that keys and wheel change in steps that suit their size.

use flockwork_engine::live::COUNT;
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::world::{Value, Values};

/// The mark of a param that each agent has a number of its own for; behind it is one in the middle of them.
pub(super) const DRAWN: char = '~';

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

/// Returns the knobs of params: numbers, booleans and the components of vectors, ordered by name; last the number of agents.
pub(super) fn knobs(params: &Values) -> Vec<Knob> {
    let mut knobs = Vec::new();
    for (param, value) in params.iter() {
        let components: &[Component] = match value {
            Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Drawn(_) => {
                &[Component::Whole]
            }
            Value::Vector(_) => &[Component::X, Component::Y],
            _ => &[],
        };
        knobs.extend(
            components.iter().map(|&component| Knob { param: param.to_owned(), component }),
        );
    }
    // What the keys change unless the person selects something does not begin the run again.
    knobs.sort_by_key(|knob| knob.param == COUNT);
    knobs
}

/// Returns the shortest text of a number that means exactly it. Without an exponent, some would have 40 digits.
pub(super) fn exact(x: f32) -> String {
    let is_usual = x == 0.0 || (1e-5..1e9).contains(&x.abs()) || !x.is_finite();
    if is_usual { x.to_string() } else { format!("{x:e}") }
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
        params.get(&self.param).map_or_else(String::new, |value| self.text_of(value))
    }

    /// Returns its component of a value of the param as text; empty if the value has none.
    pub(super) fn text_of(&self, value: &Value) -> String {
        match (value, self.component) {
            (Value::Bool(x), _) => x.to_string(),
            (Value::Int(x), _) => x.to_string(),
            (Value::Float(x), _) => exact(*x),
            // The agents have different numbers around this one.
            (Value::Drawn(drawn), _) => format!("{DRAWN}{}", math::short(drawn.middle())),
            (Value::Vector(at), Component::Y) => exact(at.y),
            (Value::Vector(at), _) => exact(at.x),
            _ => String::new(),
        }
    }

    /// Returns the current value if it is a number.
    pub(super) fn number(&self, params: &Values) -> Option<f32> {
        match (params.get(&self.param)?, self.component) {
            (Value::Int(x), _) => Some(*x as f32),
            (Value::Float(x), _) => Some(*x),
            (Value::Drawn(drawn), _) => Some(drawn.middle()),
            (Value::Vector(at), Component::Y) => Some(at.y),
            (Value::Vector(at), _) => Some(at.x),
            _ => None,
        }
    }

    /// Returns the param after this many steps up, or down if negative. `None` if it is neither a number, a boolean nor a
    /// vector, or if the result does not fit.
    pub(super) fn after_steps(&self, params: &Values, steps: f32) -> Option<Value> {
        Some(match (params.get(&self.param)?, self.component) {
            (Value::Bool(x), _) => Value::Bool(!x),
            (Value::Int(x), _) => Value::Int(x.checked_add(steps as i64)?),
            (Value::Float(x), _) => Value::Float(after_steps(*x, steps)?),
            // From then on, all agents have the same number.
            (Value::Drawn(drawn), _) => Value::Float(after_steps(drawn.middle(), steps)?),
            (Value::Vector(at), Component::Y) => {
                Value::Vector(Vec2::new(at.x, after_steps(at.y, steps)?))
            }
            (Value::Vector(at), _) => Value::Vector(Vec2::new(after_steps(at.x, steps)?, at.y)),
            _ => return None,
        })
    }

    /// Returns what can be typed for it: the word for that, and an example.
    pub(super) fn expected(&self, params: &Values) -> (&'static str, &'static str) {
        match params.get(&self.param) {
            Some(Value::Int(_)) => ("integer", "4"),
            Some(Value::Bool(_)) => ("boolean", "true"),
            _ => ("number", "1.25"),
        }
    }

    /// Returns the param with a value that was typed.
    ///
    /// # Errors
    ///
    /// If the text is not such a value, with the expected form.
    pub(super) fn parse(&self, params: &Values, text: &str) -> Result<Value, String> {
        let number = || match text.parse::<f32>() {
            Ok(x) if x.is_finite() => Ok(x),
            Ok(_) if text.contains(|c: char| c.is_ascii_digit()) => {
                Err(format!("`{text}` is too large: numbers go up to {:e}", f32::MAX))
            }
            _ => Err(format!("expected a number such as 1.25, not `{text}`")),
        };
        let is_count = self.param == COUNT;
        let is_digits = text.trim_start_matches('-').bytes().all(|c| c.is_ascii_digit());
        Ok(match (params.get(&self.param), self.component) {
            (Some(Value::Bool(_)), _) => Value::Bool(
                text.parse().map_err(|_| format!("expected true or false, not `{text}`"))?,
            ),
            (Some(Value::Int(now)), _) => Value::Int(text.parse().or_else(|_| match number() {
                // The range of a number of agents is told by the run that cannot begin with it.
                Ok(x) if is_count && is_digits => Ok(if x < 0.0 { i64::MIN } else { i64::MAX }),
                Ok(_) if is_digits => {
                    Err(format!("`{text}` is too large: integers go up to {}", i64::MAX))
                }
                Ok(_) if text.contains('.') && !is_count => Err(format!(
                    "expected an integer, not `{text}`, since the scenario has {now} and not {now}.0"
                )),
                Ok(_) if !text.contains('.') => {
                    Err(format!("expected an integer in digits, such as {now}, not `{text}`"))
                }
                _ => Err(format!("expected an integer such as {now}, not `{text}`")),
            })?),
            (Some(Value::Float(_) | Value::Drawn(_)), _) => Value::Float(number()?),
            (Some(Value::Vector(at)), Component::Y) => Value::Vector(Vec2::new(at.x, number()?)),
            (Some(Value::Vector(at)), _) => Value::Vector(Vec2::new(number()?, at.y)),
            _ => return Err("this group has no such param in the current files".to_owned()),
        })
    }
}

/// Returns a number after some steps. A step is 1, 2 or 5 times a power of ten and at most a twentieth of the number. The
/// result is a multiple of it.
fn after_steps(x: f32, steps: f32) -> Option<f32> {
    let size = f64::from(x.abs());
    let steps = f64::from(steps);
    // On the way to zero, a number where steps become larger has the smaller ones, so that a step back leads here.
    let is_less = steps * f64::from(x) < 0.0;
    let (digit, power) = step_of(size * if is_less { 1.0 - CLOSE } else { 1.0 + CLOSE })?;
    let step: f64 = format!("{digit}e{power}").parse().ok()?;
    let position = f64::from(x) / step;
    let begin = if steps > 0.0 { (position + CLOSE).floor() } else { (position - CLOSE).ceil() };
    // From the decimal representation, so that the number is short.
    let digits = (begin + steps) * digit;
    format!("{digits}e{power}").parse::<f32>().ok().filter(|x| x.is_finite())
}

/// Parts of a step that are the error of a 32-bit number.
const CLOSE: f64 = 1e-4;

/// Returns the step of a number of a size: 1, 2 or 5, and the power of ten. It is the largest one up to a twentieth, so
/// the sizes at which it changes are multiples of both steps.
fn step_of(size: f64) -> Option<(f64, i32)> {
    if size == 0.0 {
        return Some((1.0, -1));
    }
    let text = format!("{:e}", size / 20.0);
    let (digits, power) = text.split_once('e')?;
    let (digits, power): (f64, i32) = (digits.parse().ok()?, power.parse().ok()?);
    Some(match digits {
        ..2.0 => (1.0, power),
        ..5.0 => (2.0, power),
        _ => (5.0, power),
    })
}

#[cfg(test)]
mod tests {
    use flockwork_engine::distribution::Distribution;

    use super::*;

    #[test]
    fn a_step_suits_the_number() {
        for (from, steps, to) in [
            (1.2, 1.0, 1.25),
            (1.25, 1.0, 1.3),
            (1.03, 1.0, 1.05),
            (1.03, -1.0, 1.0),
            (1.55, -1.0, 1.5),
            (80.0, 1.0, 82.0),
            (80.0, -10.0, 60.0),
            (20.0, 2.0, 22.0),
            (100.0, -1.0, 98.0),
            (100.0, 1.0, 105.0),
            (0.0, 1.0, 0.1),
            (0.0, -1.0, -0.1),
            (0.1, -1.0, 0.098),
            (-2.0, 1.0, -1.95),
            (-2.0, -1.0, -2.1),
            (0.002, 1.0, 0.0021),
            (1e-30, 1.0, 1.05e-30),
        ] {
            assert_eq!(after_steps(from, steps), Some(to), "{from} by {steps}");
        }
        // Each step back leads where the step began.
        let mut x = 0.01;
        while x < 1000.0 {
            let next = after_steps(x, 1.0).unwrap();
            assert!(next > x && next < 1.06 * x, "{x} to {next}");
            assert_eq!(after_steps(next, -1.0), Some(x), "back from {next}");
            x = next;
        }
        assert_eq!(after_steps(f32::MAX, 100.0), None);
    }

    #[test]
    fn a_knob_of_a_drawn_param_gives_all_agents_one_number() {
        let pace = Distribution::uniform(1.0, 3.0).unwrap();
        let params: Values = [("pace".into(), pace.into())].into_iter().collect();
        let [knob] = &knobs(&params)[..] else { panic!("one knob") };
        assert_eq!((knob.value_text(&params).as_str(), knob.number(&params)), ("~2", Some(2.0)));
        assert_eq!(knob.after_steps(&params, 1.0), Some(Value::Float(2.1)));
        assert_eq!(knob.parse(&params, "1.5"), Ok(Value::Float(1.5)));
        assert!(knob.parse(&params, "~2").is_err());
    }

    /// Caught: a word for an integer was told to be written without a decimal point.
    #[test]
    fn what_is_no_integer_is_told_from_what_is_no_number() {
        let params: Values = [("slowing".into(), Value::Int(20))].into_iter().collect();
        let [knob] = &knobs(&params)[..] else { panic!("one knob") };
        let error = |text| knob.parse(&params, text).unwrap_err();
        assert!(error("2.5").ends_with("`2.5`, since the scenario has 20 and not 20.0"));
        assert_eq!(error("abc"), "expected an integer such as 20, not `abc`");
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
        assert_eq!(knobs[1].after_steps(&params, 1.0), Some(Value::Vector(Vec2::new(1.0, 2.1))));
        assert_eq!(knobs[1].parse(&params, "-7.5"), Ok(Value::Vector(Vec2::new(1.0, -7.5))));
        for (knob, text) in [(0, "east"), (0, "inf"), (2, "1")] {
            let error = knobs[knob].parse(&params, text).unwrap_err();
            assert!(error.starts_with("expected"), "{error}");
        }
        assert_eq!(knobs[2].parse(&params, "true"), Ok(Value::Bool(true)));
        assert_eq!(knobs[2].after_steps(&params, 1.0), Some(Value::Bool(false)));
    }
}
