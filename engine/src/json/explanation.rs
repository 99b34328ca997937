//! The explanation of a decision as one JSON object.
//!
//! Vectors are lists of two numbers, which read back to the same 32-bit floats. A limit that a body
//! does not have is null.

use serde::Serialize;
use serde_json::{Map, json};

use crate::math::{self, Vec2};
use crate::sim::{
    ChoiceRule, Contact, Decision, ExplainedCall, Explanation, KeptChoice, LimitCut, NextTurn,
    NoDecision, SkippedCalls, WhySkipped,
};
use crate::steer::Cause;
use crate::world::{AgentId, Body, Value, Values};

/// Returns what an agent decides in a tick of a scenario, and why. The book has the fields.
pub fn explanation<'a>(scenario: &'a str, account: &'a NextTurn) -> impl Serialize + 'a {
    ExplanationJson::new(scenario, account)
}

#[derive(Serialize)]
struct ExplanationJson<'a> {
    scenario: &'a str,
    tick: u64,
    time: f32,
    agent: AgentId,
    group: &'a str,
    index: u32,
    headline: String,
    position: [f32; 2],
    velocity: [f32; 2],
    heading: [f32; 2],
    speed: f32,
    body: &'a Body,
    params: serde_json::Value,
    state: serde_json::Value,
    goal: Option<GoalJson>,
    waypoint: Option<WaypointJson<'a>>,
    stopped: bool,
    error: Option<String>,
    decision: Option<DecisionJson<'a>>,
    skipped: Vec<SkippedJson<'a>>,
}

#[derive(Serialize)]
struct GoalJson {
    at: [f32; 2],
    radius: f32,
    distance: f32,
    reached: u32,
    goals: u32,
}

#[derive(Serialize)]
struct WaypointJson<'a> {
    path: &'a str,
    number: u32,
    waypoints: u32,
    back: bool,
    at: [f32; 2],
    distance: f32,
}

#[derive(Serialize)]
struct DecisionJson<'a> {
    explained: bool,
    calls: Vec<CallJson<'a>>,
    variables: Vec<VariableJson<'a>>,
    rest: Option<RestJson>,
    set_velocity: Option<[f32; 2]>,
    set_velocity_causes: Vec<serde_json::Value>,
    push: [f32; 2],
    wanted_force: [f32; 2],
    force: [f32; 2],
    limits: Vec<LimitJson>,
    wanted_velocity: [f32; 2],
    next_velocity: [f32; 2],
    next_position: [f32; 2],
    next_heading: [f32; 2],
    touches: Vec<serde_json::Value>,
    next_state: serde_json::Value,
    choices: Vec<ChoiceJson<'a>>,
}

#[derive(Serialize)]
struct ChoiceJson<'a> {
    name: &'a str,
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    chosen: serde_json::Value,
    since: u64,
    time: f32,
    before: Option<&'a str>,
    scores: Option<Map<String, serde_json::Value>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    told: Vec<serde_json::Value>,
    text: String,
}

#[derive(Serialize)]
struct SkippedJson<'a> {
    names: Vec<&'a str>,
    file: &'a str,
    line: usize,
    column: usize,
    condition: &'a str,
    holds: bool,
    text: String,
}

#[derive(Serialize)]
struct LimitJson {
    limit: &'static str,
    wanted: f32,
    allowed: f32,
    text: String,
}

#[derive(Serialize)]
struct CallJson<'a> {
    primitive: &'a str,
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    dominant: bool,
    color: usize,
    raw: [f32; 2],
    desired_velocity: Option<[f32; 2]>,
    weight: Option<f32>,
    share: Option<[f32; 2]>,
    fraction: Option<f32>,
    velocity_share: Option<[f32; 2]>,
    cause: Option<serde_json::Value>,
    depends_on: Vec<serde_json::Value>,
    seen: Option<SeenJson<'a>>,
}

#[derive(Serialize)]
struct SeenJson<'a> {
    radius: f32,
    count: u32,
    nearest: &'a [AgentId],
}

#[derive(Serialize)]
struct VariableJson<'a> {
    name: &'a str,
    file: &'a str,
    line: usize,
    column: usize,
    dominant: bool,
    color: usize,
    value: [f32; 2],
    weight: Option<f32>,
    share: [f32; 2],
    fraction: Option<f32>,
    velocity_share: [f32; 2],
    causes: Vec<serde_json::Value>,
}

#[derive(Serialize)]
struct RestJson {
    share: [f32; 2],
    fraction: Option<f32>,
    unnamed: Option<[f32; 2]>,
    causes: Vec<serde_json::Value>,
}

impl<'a> ExplanationJson<'a> {
    fn new(scenario: &'a str, account: &'a NextTurn) -> Self {
        Self {
            scenario,
            tick: account.tick,
            time: account.time,
            agent: account.id,
            group: &account.group_name,
            index: account.index,
            headline: account.headline(),
            position: account.pos.into(),
            velocity: account.vel.into(),
            heading: account.heading.into(),
            speed: math::length(account.vel),
            body: &account.body,
            params: values(&account.params),
            state: values(&account.state),
            goal: account.goal.map(|goal| GoalJson {
                at: goal.goal.at.into(),
                radius: goal.goal.radius,
                distance: goal.distance,
                reached: account.goals_reached,
                goals: goal.all,
            }),
            waypoint: account.waypoint.as_ref().map(|one| WaypointJson {
                path: &one.path,
                number: one.number,
                waypoints: one.all,
                back: one.back,
                at: one.at.into(),
                distance: one.distance,
            }),
            stopped: matches!(account.decision, Err(NoDecision::Stopped)),
            error: match &account.decision {
                Err(NoDecision::Fails(fault)) => Some(fault.what.to_string()),
                _ => None,
            },
            decision: account.decision.as_ref().ok().map(|one| decision_json(account, one)),
            skipped: account.skipped.iter().map(skipped_json).collect(),
        }
    }
}

fn decision_json<'a>(account: &'a NextTurn, decision: &'a Decision) -> DecisionJson<'a> {
    let why = decision.explanation.as_ref();
    let dominant = why.and_then(Explanation::dominant);
    let call = |why: &Explanation, call: &'a ExplainedCall, color: usize| {
        let place = call.place.as_ref();
        let at = place.map(|place| place.source.line_column(place.span.start));
        CallJson {
            primitive: call.primitive.name,
            file: place.map(|place| place.source.name.as_str()),
            line: at.map(|(line, _)| line),
            column: at.map(|(_, column)| column),
            dominant: dominant.is_some_and(|one| std::ptr::eq(one, call)),
            color,
            raw: call.raw.into(),
            desired_velocity: call.desired_velocity.map(Into::into),
            weight: call.weight,
            share: call.has_share.then(|| call.share.into()),
            fraction: why.fraction(call.share).filter(|_| call.has_share),
            velocity_share: call.has_share.then(|| call.vel_share.into()),
            cause: call.cause.as_ref().map(cause),
            depends_on: call.depends_on.iter().map(cause).collect(),
            seen: call.seen.as_ref().map(|seen| SeenJson {
                radius: seen.neighborhood.radius,
                count: seen.count,
                nearest: &seen.nearest,
            }),
        }
    };
    let rest = |why: &Explanation| RestJson {
        share: why.rest.into(),
        fraction: why.fraction(why.rest),
        unnamed: why.unnamed_rest().map(Into::into),
        causes: why.rest_causes.iter().map(cause).collect(),
    };
    let set = decision.set_vel != account.vel;
    DecisionJson {
        explained: why.is_some_and(Explanation::has_shares),
        calls: why
            .into_iter()
            .flat_map(|why| {
                why.calls.iter().zip(why.colors()).map(|(one, color)| call(why, one, color))
            })
            .collect(),
        variables: why.map_or_else(Vec::new, variables),
        rest: why.filter(|why| why.has_rest()).map(rest),
        set_velocity: set.then(|| decision.set_vel.into()),
        set_velocity_causes: why
            .map_or_else(Vec::new, |why| why.vel_causes.iter().map(cause).collect()),
        push: decision.push.into(),
        wanted_force: decision.wanted_force.into(),
        force: decision.force.into(),
        limits: decision.cuts.iter().map(limit).collect(),
        wanted_velocity: decision.wanted_vel.into(),
        next_velocity: decision.next_vel.into(),
        next_position: decision.next_pos.into(),
        next_heading: decision.next_heading.into(),
        touches: decision.contacts.iter().map(contact).collect(),
        next_state: values(&decision.next_state),
        choices: account.choices().into_iter().map(|kept| choice_json(&kept)).collect(),
    }
}

fn variables(why: &Explanation) -> Vec<VariableJson<'_>> {
    let dominant = why.dominant_variable();
    let colors = why.colors().into_iter().skip(why.calls.len());
    why.variables
        .iter()
        .zip(colors)
        .map(|(one, color)| {
            let (line, column) = one.place.source.line_column(one.place.span.start);
            VariableJson {
                name: &one.name,
                file: &one.place.source.name,
                line,
                column,
                dominant: dominant.is_some_and(|dominant| std::ptr::eq(dominant, one)),
                color,
                value: one.value.into(),
                weight: one.weight,
                share: one.share.into(),
                fraction: why.fraction(one.share),
                velocity_share: one.vel_share.into(),
                causes: one.causes.iter().map(cause).collect(),
            }
        })
        .collect()
}

fn choice_json<'a>(kept: &KeptChoice<'a>) -> ChoiceJson<'a> {
    let place = kept.choice.place.as_ref();
    let at = place.map(|place| place.source.line_column(place.span.start));
    let scores = match &kept.choice.rule {
        ChoiceRule::Choose { scores, .. } => Some(scores),
        _ => None,
    };
    let score = |(name, score): &(String, f32)| (name.clone(), json!(score));
    ChoiceJson {
        name: &kept.choice.name,
        file: place.map(|place| place.source.name.as_str()),
        line: at.map(|(line, _)| line),
        column: at.map(|(_, column)| column),
        chosen: value(kept.value),
        since: kept.since,
        time: kept.time,
        before: kept.before,
        scores: scores.map(|scores| scores.iter().map(score).collect()),
        told: kept.choice.news.iter().map(cause).collect(),
        text: kept.text(),
    }
}

fn skipped_json(calls: &SkippedCalls) -> SkippedJson<'_> {
    let place = &calls.condition;
    let (line, column) = place.source.line_column(place.span.start);
    SkippedJson {
        names: calls.names(),
        file: &place.source.name,
        line,
        column,
        condition: place.text(),
        holds: calls.why != WhySkipped::False,
        text: calls.to_string(),
    }
}

fn limit(cut: &LimitCut) -> LimitJson {
    LimitJson { limit: cut.limit, wanted: cut.wanted, allowed: cut.allowed, text: cut.to_string() }
}

/// Returns a contact: its kind, a text for people, and the names that it has.
fn contact(of: &Contact) -> serde_json::Value {
    let text = of.to_string();
    match of {
        Contact::Obstacle { name, .. } => {
            json!({ "kind": "obstacle", "text": text, "obstacle": &**name })
        }
        Contact::Agent { id, group } => {
            json!({ "kind": "agent", "text": text, "agent": id, "group": &**group })
        }
        Contact::Edge => json!({ "kind": "edge", "text": text }),
        _ => json!({ "kind": "unknown", "text": text }),
    }
}

/// Returns a cause: its kind, a text for people, and the names and points that it has.
fn cause(of: &Cause) -> serde_json::Value {
    let text = of.to_string();
    let point = |at: &Vec2| [short(at.x), short(at.y)];
    let far = |distance: &f32| short(*distance);
    match of {
        Cause::Agent { id, group, distance } => json!({
            "kind": "agent", "text": text, "agent": id, "group": &**group, "distance": far(distance),
        }),
        Cause::State { id, group, name, distance } => json!({
            "kind": "state", "text": text, "agent": id, "group": &**group, "name": &**name,
            "distance": far(distance),
        }),
        Cause::Told { name, id, group, tick } => json!({
            "kind": "told", "text": text, "name": &**name, "agent": id, "group": &**group, "tick": tick,
        }),
        Cause::Taken { name, layer, tick } => json!({
            "kind": "taken", "text": text, "name": &**name, "layer": &**layer, "tick": tick,
        }),
        Cause::Captured { name, id, group, tick } => json!({
            "kind": "captured", "text": text, "name": &**name, "agent": id, "group": &**group, "tick": tick,
        }),
        Cause::Shared { name } => json!({ "kind": "shared", "text": text, "name": &**name }),
        Cause::Neighbors { count, nearest, distance } => json!({
            "kind": "neighbors", "text": text, "count": count, "agent": nearest, "distance": far(distance),
        }),
        Cause::NoNeighbors => json!({ "kind": "no_neighbors", "text": text }),
        Cause::OwnDirection => json!({ "kind": "own_direction", "text": text }),
        Cause::NothingAhead => json!({ "kind": "nothing_ahead", "text": text }),
        Cause::Obstacle { name, at, distance, .. } => json!({
            "kind": "obstacle_ahead", "text": text, "obstacle": &**name, "at": point(at),
            "distance": far(distance),
        }),
        Cause::QueriedObstacle { name, at, distance, .. } => json!({
            "kind": "obstacle", "text": text, "obstacle": &**name, "at": point(at), "distance": far(distance),
        }),
        Cause::Edge { x, y } => {
            json!({ "kind": "edge", "text": text, "x": x.map(short), "y": y.map(short) })
        }
        Cause::Waypoint { path, number, at, distance } => json!({
            "kind": "waypoint", "text": text, "path": &**path, "number": number, "at": point(at),
            "distance": far(distance),
        }),
        Cause::Path { path, at, distance } => json!({
            "kind": "path", "text": text, "path": &**path, "at": point(at), "distance": far(distance),
        }),
        Cause::Field { field, at, flow } => json!({
            "kind": "field", "text": text, "field": &**field, "at": point(at), "flow": point(flow),
        }),
        Cause::Corner { name, at, distance, .. } => json!({
            "kind": "corner", "text": text, "obstacle": &**name, "at": point(at), "distance": far(distance),
        }),
        Cause::NoWay { to, at, distance } => json!({
            "kind": "no_way", "text": text, "to": point(to), "at": point(at), "distance": far(distance),
        }),
        Cause::Point { at, distance } => json!({
            "kind": "point", "text": text, "at": point(at), "distance": far(distance),
        }),
    }
}

fn values(of: &Values) -> serde_json::Value {
    let all = of.iter().map(|(name, it)| (name.to_owned(), value(it)));
    serde_json::Value::Object(all.collect::<Map<_, _>>())
}

fn value(of: &Value) -> serde_json::Value {
    match of {
        Value::Nothing => serde_json::Value::Null,
        Value::Bool(truth) => json!(truth),
        Value::Int(number) => json!(number),
        Value::Float(number) => json!(short(*number)),
        Value::Vector(v) => json!([short(v.x), short(v.y)]),
        Value::String(text) => json!(&**text),
        Value::Agent(id) => json!({ "agent": id }),
        Value::List(items) => items.iter().map(value).collect(),
        Value::Map(items) => {
            let all = items.iter().map(|(name, it)| (name.to_string(), value(it)));
            serde_json::Value::Object(all.collect())
        }
        Value::Drawn(distribution) => json!(distribution.to_string()),
    }
}

/// Returns the number with the fewest digits that reads back to the same 32-bit float.
fn short(x: f32) -> f64 {
    x.to_string().parse().unwrap_or_else(|_| x.into())
}
