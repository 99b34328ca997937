//! `flockwork primitives`: the reference, made from the table of primitives.

use std::fmt::Write as _;

use flockwork_engine::Diagnostic;
use flockwork_engine::steer::{self, COMBINATORS, PRIMITIVES, Param, ParamDefault, Primitive};

use super::{Answer, Outcome, terminal};

/// Print the reference of the steering primitives
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork primitives
  flockwork primitives arrive")]
pub(super) struct Args {
    /// Only this one
    name: Option<String>,
}

/// The command.
pub(super) fn primitives(args: Args) -> Answer {
    let text = match args.name {
        None => reference(),
        Some(name) => {
            // As it is written in scripts.
            let plain = name.strip_prefix("me.").unwrap_or(&name);
            let primitive = steer::find(plain).ok_or_else(|| vec![unknown(plain)])?;
            entry(primitive)
        }
    };
    terminal::print(&text)?;
    Ok(Outcome::Success)
}

fn unknown(name: &str) -> Diagnostic {
    let known = PRIMITIVES.iter().chain(COMBINATORS);
    Diagnostic::error(format!("there is no primitive `{name}`"))
        .suggest(name, known.map(|primitive| primitive.name))
        .help("`flockwork primitives` lists them all")
}

fn reference() -> String {
    let mut text = String::new();
    for (title, about, list) in [
        ("PRIMITIVES", "Called on the agent; each answers with a force, a vector.", PRIMITIVES),
        ("COMBINATORS", "Plain functions that make one force of several.", COMBINATORS),
    ] {
        let _ = writeln!(text, "{title}\n{about}\n");
        for primitive in list {
            let _ = writeln!(text, "{}", entry(primitive));
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// The usage, the documentation, and a line for each parameter.
fn entry(primitive: &Primitive) -> String {
    let mut text = format!("{}\n", primitive.usage());
    for line in primitive.doc {
        // Documentation keeps the space after its slashes.
        let _ = writeln!(
            text,
            "{}",
            format!("    {}", line.strip_prefix(' ').unwrap_or(line)).trim_end()
        );
    }
    if !primitive.params.is_empty() {
        text.push('\n');
    }
    let widest = primitive.params.iter().map(|param| param.name.len()).max();
    for param in primitive.params {
        let _ = writeln!(
            text,
            "    {:<width$}  {}: {}",
            param.name,
            param.doc,
            takes(param),
            width = widest.unwrap_or(0),
        );
    }
    text
}

/// What a parameter takes, in which unit, and what stands in where it is left out.
fn takes(param: &Param) -> String {
    let kind = param.kind.expected();
    let unit = if param.unit.is_empty() { String::new() } else { format!(", in {}", param.unit) };
    let default = match param.default {
        ParamDefault::Required => String::new(),
        ParamDefault::Number(number) if number == f32::INFINITY => {
            "; without limit if left out".into()
        }
        ParamDefault::Number(number) => format!("; {number} if left out"),
        ParamDefault::MaxSpeed => "; me.max_speed if left out".into(),
        ParamDefault::MaxForce => "; me.max_force if left out".into(),
        ParamDefault::OwnPath => "; me.path if left out".into(),
    };
    format!("{kind}{unit}{default}")
}
