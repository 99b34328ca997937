//! Checks how agents are drawn and their params are shown.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::color_names::{color_advice, hex_of};
use super::findings::Findings;
use super::ordered::{self, Ordered};
use super::param::PlainValue;
use super::rule::PublicSpec;
use super::spanned::Spanned;
use crate::diag::{Code, Diagnostic};
use crate::geom::Polygon;
use crate::number::{BoundedInt, Finite, PositiveLength};
use crate::schema::described;
use crate::world::{
    AgentShape, AgentSign, Appearance, ColorRule, Group, ParamRange, PublicType, Rgb, ShapeCorners,
    SignSize, Value,
};

/// The largest number of corners of a shape, which is drawn for each agent.
const MAX_CORNERS: usize = 100;

/// How far a corner of a shape can be from the agent, as a multiple of the size.
const MAX_REACH: f32 = 20.0;

/// Where a group is drawn among the others.
pub(super) type DrawOrder = BoundedInt<0, 100>;

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "colors by state", deny_unknown_fields)]
    pub(super) struct ColorRuleSpec {
        /// The name of a public state.
        state: Spanned<String> => State,
        /// Values with their colors. Numbers between two others have colors between theirs.
        #[serde(deserialize_with = "ordered::list")]
        colors: Vec<Spanned<ColorOfValueSpec>>,
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "color of a value", deny_unknown_fields)]
    struct ColorOfValueSpec {
        /// The value.
        value: Spanned<PublicSpec>,
        /// Its color, such as `"#e69f00"`.
        color: Spanned<String>,
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "sign", deny_unknown_fields)]
    pub(super) enum SignSpec {
        /// A line to an agent or a point.
        Line {
            /// The name of a public state with an agent or a vector.
            to: Spanned<String> => State,
        },
        /// A circle around the agent.
        Circle {
            /// The radius in world units, or the name of a public state or a param with that number.
            radius: Spanned<PlainValue>,
        },
        /// A sector around the heading, such as a field of view. It ends at obstacles.
        Cone {
            /// The radius in world units, or the name of a public state or a param with that number.
            radius: Spanned<PlainValue>,
            /// The angle between its sides in degrees, or the name of a public state or a param with that number.
            angle_deg: Spanned<PlainValue>,
        },
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "Range", deny_unknown_fields)]
    pub(super) struct RangeSpec {
        /// The number at one end.
        from: Finite,
        /// The number at the other end, which is greater.
        to: Finite,
        /// Whether equal distances are equal factors. Default: false.
        #[serde(default)]
        log: bool,
    }
}

/// How the agents of a group are drawn, as it is written.
pub(super) struct AppearanceSpec<'a> {
    pub(super) color: Option<&'a Spanned<String>>,
    pub(super) color_by: Option<&'a Spanned<ColorRuleSpec>>,
    pub(super) shape: Option<&'a Spanned<AgentShape>>,
    pub(super) size: Option<PositiveLength>,
    pub(super) draw_order: Option<&'a Spanned<DrawOrder>>,
    pub(super) label: Option<&'a Spanned<String>>,
    pub(super) signs: &'a [Spanned<SignSpec>],
    pub(super) ranges: &'a Ordered<Spanned<RangeSpec>>,
}

/// Checks how the agents of a group are drawn. The group has its params and its public state.
pub(super) fn build(
    findings: &mut Findings<'_>,
    spec: &AppearanceSpec<'_>,
    group: &Group,
) -> Appearance {
    let label = spec.label.and_then(|name| public(findings, name, group));
    Appearance {
        color: spec.color.and_then(|spec| color(findings, spec)),
        color_by: spec.color_by.and_then(|spec| color_rule(findings, spec, group)),
        shape: spec.shape.and_then(|spec| shape(findings, spec)).unwrap_or_default(),
        size: spec.size.map(|size| size.0),
        draw_order: spec
            .draw_order
            .and_then(|order| findings.read(order))
            .map_or(0, |order| order.get() as u8),
        label: label.map(|(name, _)| name),
        signs: spec.signs.iter().filter_map(|spec| sign(findings, spec, group)).collect(),
        ranges: ranges(findings, spec.ranges, group),
    }
}

/// Returns a shape whose corners, if it has some, are counter-clockwise.
fn shape(findings: &mut Findings<'_>, spec: &Spanned<AgentShape>) -> Option<AgentShape> {
    let shape = findings.read(spec)?;
    let AgentShape::Polygon(ShapeCorners(corners)) = shape else { return Some(shape.clone()) };
    let reach = shape.reach();
    let polygon = if corners.len() > MAX_CORNERS {
        Err(format!("a shape has at most {MAX_CORNERS} corners, not {}", corners.len()))
    } else if reach > MAX_REACH {
        Err(format!(
            "a corner of this shape is {reach} sizes away from the agent, at most {MAX_REACH} are drawn"
        ))
    } else {
        Polygon::with_area(corners.to_vec()).map_err(str::to_owned)
    };
    match polygon {
        Ok(polygon) => Some(AgentShape::Polygon(ShapeCorners(polygon.corners().into()))),
        Err(problem) => {
            let wrong = Diagnostic::error(problem).help(
                "corners are in multiples of the size, x ahead and y to the left: `Polygon([(1, 0), (-1, 0.7), (-1, -0.7)])`",
            );
            findings.add(wrong, findings.span(spec));
            None
        }
    }
}

/// Checks the ranges of the sliders of params.
fn ranges(
    findings: &mut Findings<'_>,
    specs: &Ordered<Spanned<RangeSpec>>,
    group: &Group,
) -> BTreeMap<Arc<str>, ParamRange> {
    let names = findings.names("range", specs);
    let mut all = BTreeMap::new();
    for ((key, spec), name) in specs.0.iter().zip(names.all) {
        if key.read.is_err() {
            continue;
        }
        let is_integer = match group.params.get(&name) {
            Some(Value::Float(_) | Value::Vector(_) | Value::Drawn(_)) => false,
            Some(Value::Int(_)) => true,
            // A param that could not be read.
            Some(Value::Nothing) => continue,
            Some(other) => {
                let what = format!("param `{name}` is {}, which has no range", other.kind());
                let wrong = Diagnostic::error(what)
                    .code(Code::WrongType)
                    .help("a range is for a number or a vector");
                findings.add(wrong, findings.span(key));
                continue;
            }
            None => {
                let what = format!("group `{}` has no param `{name}`", group.name);
                let unknown = Diagnostic::error(what)
                    .code(Code::UnknownName)
                    .suggest(&name, group.params.iter().map(|(name, _)| name));
                findings.add(unknown, findings.span(key));
                continue;
            }
        };
        let Some(RangeSpec { from: Finite(min), to: Finite(max), log }) = findings.read(spec)
        else {
            continue;
        };
        let wrong = if min >= max {
            format!("a range goes up, but {max} is not above {min}")
        } else if *log && *min <= 0.0 {
            format!("a logarithmic range begins above 0, not at {min}")
        } else {
            let (min, max) = (*min, *max);
            all.insert(name, ParamRange { min, max, is_log: *log, is_integer });
            continue;
        };
        findings.error(wrong, findings.span(spec));
    }
    all
}

/// Returns the name and the type of a public state of the group.
fn public(
    findings: &mut Findings<'_>,
    written: &Spanned<String>,
    group: &Group,
) -> Option<(Arc<str>, PublicType)> {
    let name = findings.read(written)?;
    let ty = group.public.get(name).and_then(PublicType::of);
    if ty.is_none() {
        let unknown =
            Diagnostic::error(format!("group `{}` has no public state `{name}`", group.name))
                .code(Code::UnknownName)
                .suggest(name, group.public.names())
                .help("only what the group declares under `public` can be shown");
        findings.add(unknown, findings.span(written));
    }
    Some((name.as_str().into(), ty?))
}

fn color_rule(
    findings: &mut Findings<'_>,
    spec: &Spanned<ColorRuleSpec>,
    group: &Group,
) -> Option<ColorRule> {
    let ColorRuleSpec { state, colors } = findings.read(spec)?;
    let (state, ty) = public(findings, state, group)?;
    let mut all: Vec<(Value, Rgb)> = Vec::new();
    for one in colors {
        let Some(ColorOfValueSpec { value, color }) = findings.read(one) else { continue };
        let rgb = self::color(findings, color);
        let Some(PublicSpec(read)) = findings.read(value) else { continue };
        let Some(fitting) = ty.fit(read.clone()) else {
            let what =
                format!("the public state `{state}` is {}, not {}", ty.description(), read.kind());
            findings.add(Diagnostic::error(what).code(Code::WrongType), findings.span(value));
            continue;
        };
        if let (Some((Value::Float(before), _)), Value::Float(number)) = (all.last(), &fitting)
            && number <= before
        {
            let wrong = format!("numbers with colors must ascend, but {number} follows {before}");
            findings.error(wrong, findings.span(value));
            continue;
        }
        all.extend(rgb.map(|rgb| (fitting, rgb)));
    }
    Some(ColorRule { state, colors: all })
}

fn sign(findings: &mut Findings<'_>, spec: &Spanned<SignSpec>, group: &Group) -> Option<AgentSign> {
    Some(match findings.read(spec)? {
        SignSpec::Line { to } => {
            let (name, ty) = public(findings, to, group)?;
            if !matches!(ty, PublicType::Agent | PublicType::Vector) {
                let what = format!(
                    "a line leads to an agent or a point, but the public state `{name}` is {}",
                    ty.description()
                );
                findings.add(Diagnostic::error(what).code(Code::WrongType), findings.span(to));
                return None;
            }
            AgentSign::Line { to: name }
        }
        SignSpec::Circle { radius } => {
            AgentSign::Circle { radius: size(findings, radius, ("a radius", true), group)? }
        }
        SignSpec::Cone { radius, angle_deg } => AgentSign::Cone {
            radius: size(findings, radius, ("a radius", true), group)?,
            angle_deg: size(findings, angle_deg, ("an angle", false), group)?,
        },
    })
}

fn size(
    findings: &mut Findings<'_>,
    spec: &Spanned<PlainValue>,
    (what, may_be_zero): (&str, bool),
    group: &Group,
) -> Option<SignSize> {
    let PlainValue(value) = findings.read(spec)?;
    let (wrong, help) = match value {
        Value::Float(size) if *size < 0.0 || (*size == 0.0 && !may_be_zero) => {
            (format!("{what} cannot be {size}"), "")
        }
        Value::Int(size) if *size < i64::from(!may_be_zero) => {
            (format!("{what} cannot be {size}"), "")
        }
        Value::Float(size) => return Some(SignSize::Fixed(*size)),
        Value::Int(size) => return Some(SignSize::Fixed(*size as f32)),
        Value::String(name) => {
            let known = group.public.get(name).or_else(|| group.params.get(name));
            match known {
                // A param that could not be read.
                Some(Value::Nothing) if group.public.get(name).is_none() => return None,
                Some(Value::Float(_) | Value::Int(_) | Value::Drawn(_)) => {
                    return Some(SignSize::Named(Arc::clone(name)));
                }
                Some(_) => (format!("`{name}` of group `{}` is not a number", group.name), ""),
                None => {
                    let names = group.public.names().chain(group.params.names());
                    let what =
                        format!("group `{}` has no public state or param `{name}`", group.name);
                    let unknown =
                        Diagnostic::error(what).code(Code::UnknownName).suggest(name, names);
                    findings.add(unknown, findings.span(spec));
                    return None;
                }
            }
        }
        _ => (
            format!("{what} cannot be {}", value.kind()),
            "write a number, or the name of a public state or a param",
        ),
    };
    let mut wrong = Diagnostic::error(wrong).code(Code::WrongType);
    if !help.is_empty() {
        wrong = wrong.help(help);
    }
    findings.add(wrong, findings.span(spec));
    None
}

/// Reads a color.
pub(super) fn color(findings: &mut Findings<'_>, spec: &Spanned<String>) -> Option<Rgb> {
    let text = findings.read(spec)?;
    let color = Rgb::from_hex(text);
    if color.is_none() {
        let place = findings.place(spec);
        let wrong = Diagnostic::error(format!("unknown color `{}`", text.escape_debug()));
        let mut wrong = wrong.help(color_advice(text));
        if let Some(hex) = hex_of(text) {
            let hex = format!("\"{hex}\"");
            wrong = wrong.fix(format!("Write {hex}"), &place.source, place.span.clone(), hex);
        }
        findings.add(wrong, place.span);
    }
    color
}
