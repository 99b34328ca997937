//! The choices that an agent has after its next turn, and why, as text.

use super::NextTurn;
use crate::math::short;
use crate::steer::{ChoiceRule, ExplainedChoice, before_key, since_key};
use crate::world::Value;

/// A choice that an agent keeps: the state of a state machine, for example.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KeptChoice<'a> {
    /// The choice as the script made or kept it in this turn.
    pub choice: &'a ExplainedChoice,
    /// The chosen value.
    pub value: &'a Value,
    /// The tick in which it was chosen.
    pub since: u64,
    /// Seconds since then.
    pub time: f32,
    /// The state before, for a state machine that has changed its state.
    pub before: Option<&'a str>,
}

impl NextTurn {
    /// Returns the choices that the script makes or keeps in this turn, each once.
    pub fn choices(&self) -> Vec<KeptChoice<'_>> {
        let Ok(decision) = &self.decision else {
            return Vec::new();
        };
        let Some(why) = &decision.explanation else {
            return Vec::new();
        };
        let kept = |(index, choice)| {
            let choice: &ExplainedChoice = choice;
            let is_last = why.choices[index + 1..].iter().all(|later| later.name != choice.name);
            let state = &decision.next_state;
            let value = state.get(&choice.name).filter(|_| is_last)?;
            let since = match state.get(&since_key(&choice.name)) {
                Some(Value::Int(tick)) => u64::try_from(*tick).ok()?.min(self.tick),
                _ => return None,
            };
            let before = match state.get(&before_key(&choice.name)) {
                Some(Value::String(before)) => Some(&**before),
                _ => None,
            };
            let before = before.filter(|_| matches!(choice.rule, ChoiceRule::Machine { .. }));
            let dt = if self.tick == 0 { 0.0 } else { self.time / self.tick as f32 };
            let time = (self.tick - since) as f32 * dt;
            Some(KeptChoice { choice, value, since, time, before })
        };
        why.choices.iter().enumerate().filter_map(kept).collect()
    }
}

impl KeptChoice<'_> {
    /// Returns the choice in a few words: what is chosen, since when, and why.
    pub fn text(&self) -> String {
        let Self { choice, since, time, .. } = self;
        let since = match *time > 0.0 {
            true => format!("since tick {since} ({} s)", short(*time)),
            false => "from now on".to_owned(),
        };
        let mut text = format!("{}: {} {since}", choice.name, self.chosen());
        if let Some(why) = self.why() {
            text.push_str(", ");
            text.push_str(&why);
        }
        if *time <= 0.0 && !choice.news.is_empty() {
            let causes: Vec<String> = choice.news.iter().map(ToString::to_string).collect();
            text.push_str(", because of ");
            text.push_str(&causes.join(" and "));
        }
        text
    }

    /// Returns what is chosen, a string without quotes.
    pub fn chosen(&self) -> String {
        shown(self.value)
    }

    /// Returns why it is chosen, in a few words; `None` if nothing can be said.
    pub fn why(&self) -> Option<String> {
        Some(match &self.choice.rule {
            ChoiceRule::Machine { next } => match self.before {
                Some(before) => {
                    let by = next.iter().find(|(state, _)| state == before);
                    let by = by.map_or_else(String::new, |(_, position)| {
                        let position = position.as_ref().map(|position| format!(" ({position})"));
                        format!(", by `next_{before}`{}", position.unwrap_or_default())
                    });
                    format!("after {before}{by}")
                }
                None => "the first state".to_owned(),
            },
            ChoiceRule::Choose { scores, margin, dwell } => {
                let all: Vec<String> = scores
                    .iter()
                    .map(|(option, score)| format!("{option} {}", short(*score)))
                    .collect();
                let why = self.reason(scores, *margin, *dwell);
                format!("{why}; scores: {}", all.join(", "))
            }
            ChoiceRule::Keep { dwell } if self.time < *dwell => {
                format!("stays for at least {} s", short(*dwell))
            }
            ChoiceRule::Keep { .. } => return None,
        })
    }

    /// Returns why an option is chosen.
    fn reason(&self, scores: &[(String, f32)], margin: f32, dwell: f32) -> String {
        let chosen = self.chosen();
        let score = scores.iter().find(|(option, _)| *option == chosen).map(|(_, score)| *score);
        let mut best = scores.first();
        for one in scores {
            best = best.filter(|best| !(one.1 > best.1 || best.1.is_nan())).or(Some(one));
        }
        match (best, score) {
            (Some((best, _)), _) if *best == chosen => "the best score".to_owned(),
            (Some((best, top)), Some(score)) if *top <= score + margin => format!(
                "kept, since {best} is better by {}, within the margin of {}",
                short(top - score),
                short(margin)
            ),
            _ => format!("kept, since it stays for at least {} s", short(dwell)),
        }
    }
}

/// Returns a value as text, a string without quotes.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        other => other.to_string(),
    }
}
