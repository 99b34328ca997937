//! Tables of agents (CSV): where they start, or when they come.

use std::ops::Range;
use std::sync::Arc;

use csv::{ReaderBuilder, StringRecord, Trim};
use flockwork_engine::Diagnostic;
use flockwork_engine::diag::Source;

use super::Wanted;
use super::notes::Notes;
use super::ron_text::{comment, number, point, quote, world};
use crate::area::{Point, bounds};

/// Length of a tick of the scenario, in seconds.
const DT: f64 = 0.05;

/// The columns of a table of starts, besides public state.
const STARTS: &[&str] = &[
    "group",
    "x",
    "y",
    "vx",
    "vy",
    "heading_deg",
    "radius",
    "mass",
    "max_speed",
    "max_force",
    "goal_x",
    "goal_y",
    "goal_radius",
];

/// The columns of a timetable.
const TIMETABLE: &[&str] = &["tick", "seconds", "group", "count"];

/// What a column of public state begins with.
const STATE: &str = "state.";

/// The group of agents in a table without groups.
const GROUP: &str = "agents";

/// A table that is being read.
struct Table<'s> {
    source: &'s Arc<Source>,
    columns: Vec<String>,
    rows: Vec<StringRecord>,
}

/// A row of a table.
#[derive(Clone, Copy)]
struct Row<'t> {
    table: &'t Table<'t>,
    cells: &'t StringRecord,
}

/// Agents of one group, as they are written.
struct Agents {
    group: String,
    public: Vec<(String, String)>,
    lines: Vec<String>,
}

/// Returns the scenario of a table.
///
/// # Errors
///
/// If the table has no such columns, or a cell that has no meaning.
pub(super) fn scenario(
    source: &Arc<Source>,
    wanted: &Wanted<'_>,
    notes: &mut Notes<'_>,
) -> Result<String, Diagnostic> {
    let table = Table::read(source)?;
    let (what, groups, around, events) = if table.has("x") && table.has("y") {
        table.check_columns(STARTS, true)?;
        let (groups, places) = starts(&table)?;
        ("where agents start", groups, bounds(places), Vec::new())
    } else if table.has("tick") || table.has("seconds") {
        table.check_columns(TIMETABLE, false)?;
        let (groups, events) = timetable(&table)?;
        notes.mention("all agents come at (0, 0): say in `spawn` where they come");
        ("when agents come", groups, None, events)
    } else {
        let wrong = "this is no table of agents: it has no columns `x` and `y`, and no column `tick` or `seconds`";
        return Err(table
            .error(0..source.text.lines().next().unwrap_or_default().len(), wrong)
            .help(
                "`x` and `y` say where each agent starts; `tick` and `group` say when agents come",
            ));
    };
    let mut lines = vec![format!("Imported from {}, {what}.", wanted.file)];
    lines.extend(notes.lines());
    let mut text = comment(&lines);
    text += &format!("(\n    seed: {},\n    dt: {},\n    ticks: 600,\n", wanted.seed, number(DT));
    text +=
        &format!("    {}\n    groups: {{\n", world(around.unwrap_or(([-10.0; 2], [10.0; 2])), 1.0));
    for Agents { group, public, lines } in groups {
        text += &format!("        {}: (\n", quote(&group));
        if let Some(behavior) = wanted.behavior {
            text += &format!("            behavior: {},\n", quote(behavior));
        }
        if !public.is_empty() {
            let public: Vec<_> =
                public.iter().map(|(name, value)| format!("{}: {value}", quote(name))).collect();
            text += &format!("            public: {{ {} }},\n", public.join(", "));
        }
        text += &match lines.is_empty() {
            true => "            count: 0, spawn: Points([(0, 0)]),\n".to_owned(),
            false => format!(
                "            spawn: Agents([\n                {},\n            ]),\n",
                lines.join(",\n                ")
            ),
        };
        text += "        ),\n";
    }
    text += "    },\n";
    if !events.is_empty() {
        text += &format!("    events: [\n        {},\n    ],\n", events.join(",\n        "));
    }
    text += ")\n";
    Ok(text)
}

/// Returns the agents of each group and all places, from a table of starts.
fn starts(table: &Table<'_>) -> Result<(Vec<Agents>, Vec<Point>), Diagnostic> {
    let (mut groups, mut places) = (Vec::new(), Vec::new());
    for row in table.rows() {
        let at = row
            .point("x", "y")?
            .ok_or_else(|| row.error("this row has no place: fill `x` and `y`"))?;
        places.push(at);
        let mut fields = vec![format!("at: {}", point(at))];
        if let Some(velocity) = row.point("vx", "vy")? {
            fields.push(format!("velocity: {}", point(velocity)));
        }
        if let Some(heading) = row.number("heading_deg")? {
            fields.push(format!("heading_deg: {}", number(heading)));
        }
        let mut body = Vec::new();
        for name in ["radius", "mass", "max_speed", "max_force"] {
            body.extend(row.number(name)?.map(|value| format!("{name}: {}", number(value))));
        }
        if !body.is_empty() {
            fields.push(format!("body: ({})", body.join(", ")));
        }
        if let Some(goal) = row.point("goal_x", "goal_y")? {
            places.push(goal);
            let radius = row.number("goal_radius")?;
            let radius = radius.map(|radius| format!(", radius: {}", number(radius)));
            fields.push(format!("goals: [(at: {}{})]", point(goal), radius.unwrap_or_default()));
        }
        let state = row.state();
        if !state.is_empty() {
            let state: Vec<_> =
                state.iter().map(|(name, value)| format!("{}: {value}", quote(name))).collect();
            fields.push(format!("state: {{ {} }}", state.join(", ")));
        }
        let of = group_of(&mut groups, row);
        of.lines.push(format!("({})", fields.join(", ")));
        for (name, value) in row.state() {
            if !of.public.iter().any(|(known, _)| *known == name) {
                of.public.push((name, value));
            }
        }
    }
    Ok((groups, places))
}

/// Returns the groups without agents, and the events that add agents, from a timetable.
fn timetable(table: &Table<'_>) -> Result<(Vec<Agents>, Vec<String>), Diagnostic> {
    let (mut groups, mut events) = (Vec::new(), Vec::new());
    for row in table.rows() {
        let tick = match (row.number("tick")?, row.number("seconds")?) {
            (Some(tick), None) => tick,
            (None, Some(seconds)) => (seconds / DT).round(),
            _ => return Err(row.error("this row has no time: fill either `tick` or `seconds`")),
        };
        let count = row.number("count")?.unwrap_or(1.0);
        for (name, value) in [("tick", tick), ("count", count)] {
            if value < 0.0 || value.fract() != 0.0 || value > f64::from(u32::MAX) {
                return Err(
                    row.error(format!("`{name}` must be an integer of at least 0, found {value}"))
                );
            }
        }
        let group = quote(&group_of(&mut groups, row).group);
        events.push(format!("At(tick: {tick}, do: Spawn(group: {group}, count: {count}))"));
    }
    Ok((groups, events))
}

/// Returns the agents of the group of a row.
fn group_of<'g>(groups: &'g mut Vec<Agents>, row: Row<'_>) -> &'g mut Agents {
    let name = row.cell("group").unwrap_or(GROUP);
    let place = groups.iter().position(|of| of.group == name).unwrap_or_else(|| {
        groups.push(Agents { group: name.to_owned(), public: Vec::new(), lines: Vec::new() });
        groups.len() - 1
    });
    &mut groups[place]
}

impl<'s> Table<'s> {
    fn read(source: &'s Arc<Source>) -> Result<Self, Diagnostic> {
        let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(source.text.as_bytes());
        let wrong = |error: &csv::Error| {
            let place = error.position().map_or(0, |position| position.byte() as usize);
            let what = match error.kind() {
                csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                    format!("this row has {len} cells, but the table has {expected_len} columns")
                }
                _ => format!("this is no CSV: {error}"),
            };
            Diagnostic::error(what).at(source, line_at(&source.text, place))
        };
        let columns =
            reader.headers().map_err(|error| wrong(&error))?.iter().map(str::to_owned).collect();
        let rows =
            reader.records().collect::<Result<Vec<_>, _>>().map_err(|error| wrong(&error))?;
        let table = Self { source, columns, rows };
        if table.rows.is_empty() {
            return Err(table.error(0..source.text.len(), "the table has no rows"));
        }
        Ok(table)
    }

    fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known == column)
    }

    /// Checks that all columns are known, and none is there twice.
    fn check_columns(&self, known: &[&str], with_state: bool) -> Result<(), Diagnostic> {
        for (index, column) in self.columns.iter().enumerate() {
            let place = || line_at(&self.source.text, 0);
            if self.columns[..index].contains(column) {
                return Err(self.error(place(), format!("the column `{column}` is there twice")));
            }
            if known.contains(&column.as_str()) || with_state && column.starts_with(STATE) {
                continue;
            }
            let wrong =
                self.error(place(), format!("there is no meaning for the column `{column}`"));
            return Err(wrong
                .suggest(column, known.iter().copied())
                .help(format!("columns: {}", known.join(", "))));
        }
        Ok(())
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row { table: self, cells })
    }

    fn error(&self, place: Range<usize>, what: impl Into<String>) -> Diagnostic {
        Diagnostic::error(what.into()).at(self.source, place)
    }
}

impl<'t> Row<'t> {
    /// Returns a cell; `None` if it is empty, or the table has no such column.
    fn cell(self, column: &str) -> Option<&'t str> {
        let index = self.table.columns.iter().position(|known| known == column)?;
        self.cells.get(index).filter(|cell| !cell.is_empty())
    }

    fn number(self, column: &str) -> Result<Option<f64>, Diagnostic> {
        let Some(cell) = self.cell(column) else { return Ok(None) };
        match cell.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Some(value)),
            _ => Err(self.error(format!("`{column}` must be a number, found `{cell}`"))),
        }
    }

    /// Returns the point of two columns; `None` if both cells are empty.
    fn point(self, x: &str, y: &str) -> Result<Option<Point>, Diagnostic> {
        match (self.number(x)?, self.number(y)?) {
            (Some(x), Some(y)) => Ok(Some([x, y])),
            (None, None) => Ok(None),
            _ => Err(self.error(format!("fill both `{x}` and `{y}`, or none of them"))),
        }
    }

    /// Returns the public state, with the values as they are written in a scenario.
    fn state(self) -> Vec<(String, String)> {
        let names = self.table.columns.iter().filter_map(|column| column.strip_prefix(STATE));
        names
            .filter_map(|name| {
                let cell = self.cell(&format!("{STATE}{name}"))?;
                let value = match cell.parse::<f64>() {
                    Ok(value) if value.is_finite() => number(value),
                    _ if ["true", "false"].contains(&cell) => cell.to_owned(),
                    _ => quote(cell),
                };
                Some((name.to_owned(), value))
            })
            .collect()
    }

    fn error(self, what: impl Into<String>) -> Diagnostic {
        let place = self.cells.position().map_or(0, |position| position.byte() as usize);
        self.table.error(line_at(&self.table.source.text, place), what)
    }
}

/// Returns the range of the line that begins at a byte.
fn line_at(text: &str, start: usize) -> Range<usize> {
    let start = start.min(text.len());
    let length = text[start..].find(['\n', '\r']).unwrap_or(text.len() - start);
    start..start + length
}
