//! Writes a trajectory while a run goes on, in one of several formats.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "csv")]
use super::csv::Csv;
use super::jsonl::Jsonl;
use super::pedestrian::PedestrianText;
use super::trajectory_row::TrajectoryRow;
use crate::world::World;

/// A trajectory format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrajectoryFormat {
    /// Comma-separated values with a header, `.csv`.
    #[cfg(feature = "csv")]
    Csv,
    /// A JSON object on each line, `.jsonl`.
    Jsonl,
    /// The text format of pedestrian dynamics tools, `.txt`: positions only.
    Text,
}

impl TrajectoryFormat {
    /// All formats, with their file extensions.
    pub const ALL: &[(&str, Self)] = &[
        #[cfg(feature = "csv")]
        ("csv", Self::Csv),
        ("jsonl", Self::Jsonl),
        ("txt", Self::Text),
    ];

    /// Returns the format that belongs to the extension of a path.
    ///
    /// # Errors
    ///
    /// If no format has this extension.
    pub fn from_path(path: &Path) -> Result<Self, UnknownFormat> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        Self::ALL
            .iter()
            .find(|(known, _)| extension.eq_ignore_ascii_case(known))
            .map(|&(_, format)| format)
            .ok_or_else(|| UnknownFormat { extension: extension.into_owned() })
    }
}

/// The error for a file extension that belongs to no trajectory format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat {
    /// The extension, without its dot; empty if there is none.
    pub extension: String,
}

impl std::fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.extension.is_empty() {
            f.write_str("the file of a trajectory needs an extension for its format: ")?;
        } else {
            write!(f, "no trajectory format has the extension .{}: ", self.extension)?;
        }
        for (i, (extension, _)) in TrajectoryFormat::ALL.iter().enumerate() {
            let between = match i {
                0 => "",
                _ if i + 1 == TrajectoryFormat::ALL.len() => " or ",
                _ => ", ",
            };
            write!(f, "{between}.{extension}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownFormat {}

/// Writes a trajectory, one recorded tick after another. It keeps only a buffer of fixed size in memory.
pub struct Recorder<W: Write> {
    writer: Writer<W>,
    every: u64,
    ticks: u64,
    /// The names of the public values that are written, too.
    states: Vec<Arc<str>>,
}

enum Writer<W: Write> {
    #[cfg(feature = "csv")]
    Csv(Box<Csv<W>>),
    Jsonl(Jsonl<W>),
    Text(PedestrianText<W>),
}

impl<W: Write> Recorder<W> {
    /// Starts a trajectory that records every `every`-th tick of a run with `dt` seconds per tick.
    ///
    /// # Errors
    ///
    /// If writing fails.
    ///
    /// # Panics
    ///
    /// If `every` is 0.
    pub fn new(format: TrajectoryFormat, to: W, dt: f32, every: u64) -> io::Result<Self> {
        Self::with_states(format, to, dt, every, Vec::new())
    }

    /// Does the same, and also records values of public state, by their names. A row has no value if the group of its agent does not declare
    /// it. The text format has none.
    ///
    /// # Errors
    ///
    /// If writing fails.
    ///
    /// # Panics
    ///
    /// If `every` is 0.
    pub fn with_states(
        format: TrajectoryFormat,
        to: W,
        dt: f32,
        every: u64,
        states: Vec<Arc<str>>,
    ) -> io::Result<Self> {
        assert!(every > 0, "a trajectory records at most every tick");
        let writer = match format {
            #[cfg(feature = "csv")]
            TrajectoryFormat::Csv => Writer::Csv(Box::new(Csv::new(to, &states)?)),
            TrajectoryFormat::Jsonl => Writer::Jsonl(Jsonl::new(to)),
            TrajectoryFormat::Text => {
                Writer::Text(PedestrianText::new(to, f64::from(dt) * every as f64)?)
            }
        };
        Ok(Self { writer, every, ticks: 0, states })
    }

    /// Writes the current world, if its tick is one to record.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn record(&mut self, world: &World) -> io::Result<()> {
        if !world.tick.is_multiple_of(self.every) {
            return Ok(());
        }
        let agents = &world.agents;
        let mut states = Vec::with_capacity(self.states.len());
        for i in 0..agents.len() {
            let agent = world.agent(i);
            states.clear();
            states.extend(self.states.iter().map(|name| (&**name, agent.state(name))));
            let row = TrajectoryRow {
                tick: world.tick,
                time: world.time(),
                id: agents.id[i],
                group: &world.group(agents.group[i]).name,
                x: agents.pos(i).x,
                y: agents.pos(i).y,
                vx: agents.vel(i).x,
                vy: agents.vel(i).y,
                hx: agents.heading(i).x,
                hy: agents.heading(i).y,
                states: &states,
            };
            match &mut self.writer {
                #[cfg(feature = "csv")]
                Writer::Csv(csv) => csv.row(&row)?,
                Writer::Jsonl(jsonl) => jsonl.row(&row)?,
                Writer::Text(text) => text.row(self.ticks, &row)?,
            }
        }
        self.ticks += 1;
        Ok(())
    }

    /// Returns how many ticks have been written.
    pub fn recorded_ticks(&self) -> u64 {
        self.ticks
    }

    /// Writes the rest of the buffer and returns the writer.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn finish(self) -> io::Result<W> {
        match self.writer {
            #[cfg(feature = "csv")]
            Writer::Csv(csv) => csv.finish(),
            Writer::Jsonl(jsonl) => jsonl.finish(),
            Writer::Text(text) => text.finish(),
        }
    }
}

#[cfg(test)]
#[cfg(feature = "csv")]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::{AgentId, Group, GroupId, Minds, Value, Values};
    use proptest::prelude::*;

    fn recorded(format: TrajectoryFormat, every: u64, world: &mut World, ticks: u64) -> String {
        let mut recorder = Recorder::new(format, Vec::new(), world.dt, every).unwrap();
        for tick in 0..=ticks {
            world.tick = tick;
            recorder.record(world).unwrap();
        }
        String::from_utf8(recorder.finish().unwrap()).unwrap()
    }

    fn two() -> World {
        World::example(&[
            (Vec2::new(0.1, -2.5), Vec2::new(3.0, 4.0)),
            (Vec2::new(1e-7, 1e9), Vec2::ZERO),
        ])
    }

    #[test]
    fn csv_has_the_agreed_header_and_a_row_for_each_agent_and_tick() {
        let text = recorded(TrajectoryFormat::Csv, 2, &mut two(), 3);
        assert_eq!(
            text,
            "tick,time,id,group,x,y,vx,vy,hx,hy\n\
             0,0,0,all,0.1,-2.5,3,4,0.6,0.8\n\
             0,0,1,all,0.0000001,1000000000,0,0,1,0\n\
             2,0.2,0,all,0.1,-2.5,3,4,0.6,0.8\n\
             2,0.2,1,all,0.0000001,1000000000,0,0,1,0\n"
        );
    }

    #[test]
    fn public_values_have_columns_of_their_own() {
        let mut world = two();
        let declared = [
            ("aim", Value::Vector(Vec2::new(1.0, -0.5))),
            ("calm", Value::Bool(true)),
            ("hunger", Value::Float(0.25)),
            ("mate", Value::Agent(AgentId(1))),
            ("mood", Value::String("a, \"b\"".into())),
        ];
        for (name, value) in &declared {
            let first =
                if matches!(value, Value::Agent(_)) { Value::Nothing } else { value.clone() };
            world.groups[0].public.set(name, first);
        }
        let other = Group { public: Values::default(), ..world.groups[0].clone() };
        world.groups.push(other);
        world.agents.group[1] = GroupId(1);
        let mut minds = Minds::new(0);
        minds.grow(2);
        for (name, value) in declared {
            minds.mind(0).state.set(name, value);
        }
        world.publish(&minds);
        let names = ["hunger", "aim", "mood", "mate", "calm"];
        let recorded = |format| {
            let names = names.map(Arc::from).to_vec();
            let mut recorder = Recorder::with_states(format, Vec::new(), 0.1, 1, names).unwrap();
            recorder.record(&world).unwrap();
            String::from_utf8(recorder.finish().unwrap()).unwrap()
        };
        assert_eq!(
            recorded(TrajectoryFormat::Csv),
            "tick,time,id,group,x,y,vx,vy,hx,hy,hunger,aim,mood,mate,calm\n\
             0,0,0,all,0.1,-2.5,3,4,0.6,0.8,0.25,1 -0.5,\"a, \"\"b\"\"\",1,true\n\
             0,0,1,all,0.0000001,1000000000,0,0,1,0,,,,,\n"
        );
        let lines = recorded(TrajectoryFormat::Jsonl);
        let rows: Vec<serde_json::Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let expected = serde_json::json!({
            "hunger": 0.25, "aim": [1.0, -0.5], "mood": "a, \"b\"", "mate": 1, "calm": true,
        });
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(rows[0]["state"][name], *value, "{name}");
            assert!(rows[1]["state"][name].is_null(), "{name}");
        }
        assert!(
            recorded(TrajectoryFormat::Text).ends_with("0 0 0.1 -2.5\n1 0 0.0000001 1000000000\n")
        );
    }

    #[test]
    fn csv_quotes_special_characters_in_group_names() {
        let mut world = two();
        world.groups[0].name = "a, \"b\"\nc".into();
        let text = recorded(TrajectoryFormat::Csv, 1, &mut world, 0);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let record = reader.records().next().unwrap().unwrap();
        assert_eq!(&record[3], "a, \"b\"\nc");
    }

    #[test]
    fn json_lines_have_the_same_fields() {
        let text = recorded(TrajectoryFormat::Jsonl, 1, &mut two(), 0);
        let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        let mut names: Vec<&str> = first.as_object().unwrap().keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["group", "hx", "hy", "id", "tick", "time", "vx", "vy", "x", "y"]);
        assert_eq!(first["group"], "all");
        assert_eq!(text.lines().count(), 2);
        assert!(text.ends_with('\n'));
    }

    #[test]
    fn text_numbers_the_recorded_ticks_and_names_their_rate() {
        let mut world = two();
        world.dt = 0.05;
        let text = recorded(TrajectoryFormat::Text, 4, &mut world, 5);
        assert_eq!(
            text,
            "# framerate: 5\n# id frame x/m y/m\n\
             0 0 0.1 -2.5\n1 0 0.0000001 1000000000\n\
             0 1 0.1 -2.5\n1 1 0.0000001 1000000000\n"
        );
    }

    #[test]
    fn file_endings_determine_the_format() {
        let format = |name| TrajectoryFormat::from_path(Path::new(name));
        assert_eq!(format("a.csv"), Ok(TrajectoryFormat::Csv));
        assert_eq!(format("a.b/c.JSONL"), Ok(TrajectoryFormat::Jsonl));
        assert_eq!(format("a.txt"), Ok(TrajectoryFormat::Text));
        for (name, parts) in [("a.xlsx", ".xlsx"), ("a", ""), (".csv", "")] {
            let message = format(name).unwrap_err().to_string();
            assert!(message.contains(parts), "{message}");
            assert!(message.ends_with(".csv, .jsonl or .txt"), "{message}");
        }
    }

    proptest! {
        #[test]
        fn numbers_read_back_as_they_were(x in any::<f32>().prop_filter("finite", |x| x.is_finite())) {
            let mut world = two();
            world.agents.pos_mut(0).x = x;
            let csv = recorded(TrajectoryFormat::Csv, 1, &mut world, 0);
            let field = csv.lines().nth(1).unwrap().split(',').nth(4).unwrap();
            prop_assert_eq!(field.parse::<f32>().unwrap().to_bits(), x.to_bits());
            let text = recorded(TrajectoryFormat::Text, 1, &mut world, 0);
            let field = text.lines().nth(2).unwrap().split(' ').nth(2).unwrap();
            prop_assert_eq!(field.parse::<f32>().unwrap().to_bits(), x.to_bits());
            let json = recorded(TrajectoryFormat::Jsonl, 1, &mut world, 0);
            let value: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
            prop_assert_eq!((value["x"].as_f64().unwrap() as f32).to_bits(), x.to_bits());
        }
    }

    /// A disk with room for this many bytes.
    struct SmallDisk(usize);

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let n = bytes.len().min(self.0);
            self.0 -= n;
            if n == 0 && !bytes.is_empty() {
                return Err(io::Error::from(io::ErrorKind::StorageFull));
            }
            Ok(n)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_format_reports_a_full_disk() {
        for &(_, format) in TrajectoryFormat::ALL {
            // An error at the end, and one while more is written than any buffer holds.
            for frames in [2, 10_000] {
                let write = || {
                    let mut recorder = Recorder::new(format, SmallDisk(100), 0.1, 1)?;
                    for _ in 0..frames {
                        recorder.record(&two())?;
                    }
                    recorder.finish()
                };
                let error = write().err().map(|error| error.kind());
                assert_eq!(error, Some(io::ErrorKind::StorageFull), "{format:?}");
            }
        }
    }
}
