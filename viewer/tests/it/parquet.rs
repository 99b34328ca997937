//! Tables in Parquet have the cells of the same tables as comma-separated values.

use crate::project::Project;

const PLAN: &str = r#"(
    scenario: "scenarios/two.ron",
    vary: {
        "groups.walkers.params.push": List([0, 2.5]),
        "groups.walkers.velocity.0": Range(from: 10, to: 20, steps: 2),
        "groups.walkers.body.solid": List([true, false]),
        "groups.walkers.behavior": List(["walk", "fall"]),
        "ticks": Integers(from: 8, to: 10, step: 2),
    },
    seeds: [18446744073709551615, 7],
    record: ["agents", "mean_speed", "walkers.time_to_goal"],
    sweep: (every: 4),
)
"#;

fn project() -> Project {
    let falls = "fn steer(me) { if me.vel.x > 15 { throw \"I fell\"; } vec(0, 0) }\n";
    let scenario = Project::two().read("scenarios/two.ron");
    let scenario =
        scenario.replace("ticks: 10,", "ticks: 10, expect: [NoOverlap(), MaxSpeed(speed: 15)],");
    Project::two()
        .with("scripts/fall.rhai", falls)
        .with("scenarios/two.ron", scenario)
        .with("a.plan.ron", PLAN)
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_program_without_parquet_says_so() {
    for line in [
        "run scenarios/two.ron --measures m.parquet",
        "sweep a.plan.ron --parquet --out .",
        "sweep a.plan.ron --parquet --shard 1/2 --out .",
        "sweep a.plan.ron --parquet --on slurm --out .",
    ] {
        let answer = project().flockwork(&line.split(' ').collect::<Vec<_>>());
        let answer = answer.says(2, &["was built without Parquet", "--features parquet"]);
        assert_eq!(answer.out(), "", "{line}");
    }
}

#[cfg(feature = "parquet")]
mod with_parquet {
    use std::fs::{self, File};
    use std::path::Path;

    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::Field;

    use super::{PLAN, project};
    use crate::project::{Project, names};

    /// Returns the names of the columns of a file, and its rows.
    fn parquet(path: &Path) -> (Vec<String>, Vec<Vec<Field>>) {
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        let columns = reader.metadata().file_metadata().schema_descr().columns().iter();
        let names = columns.map(|column| column.name().to_owned()).collect();
        let rows = reader.get_row_iter(None).unwrap();
        let fields =
            rows.map(|row| row.unwrap().get_column_iter().map(|(_, of)| of.clone()).collect());
        (names, fields.collect())
    }

    /// Checks that a table in Parquet has the cells of one in comma-separated values. Returns the columns with the type of their
    /// first value.
    fn assert_same(project: &Project, name: &str) -> Vec<String> {
        let mut csv = csv::Reader::from_path(project.path(&format!("{name}.csv"))).unwrap();
        let (names, rows) = parquet(&project.path(&format!("{name}.parquet")));
        assert_eq!(csv.headers().unwrap().iter().collect::<Vec<_>>(), names);
        let mut types = vec![None; names.len()];
        let mut count = 0;
        for (expected, row) in csv.records().zip(&rows) {
            for ((cell, field), of) in expected.unwrap().iter().zip(row).zip(&mut types) {
                let (text, name) = match field {
                    Field::Null => (String::new(), None),
                    Field::Long(value) => (value.to_string(), Some("integer")),
                    Field::ULong(value) => (value.to_string(), Some("natural")),
                    Field::Bool(value) => (value.to_string(), Some("boolean")),
                    Field::Str(value) => (value.clone(), Some("string")),
                    Field::Double(value) => {
                        // Both have the same number, but not always in the same digits.
                        assert_eq!(cell.parse(), Ok(*value));
                        (cell.to_owned(), Some("double"))
                    }
                    other => panic!("{other:?}"),
                };
                assert_eq!(cell, text);
                *of = of.or(name);
            }
            count += 1;
        }
        assert_eq!(count, rows.len());
        let types = names.iter().zip(types);
        types.map(|(name, of)| format!("{name}: {}", of.unwrap_or("null"))).collect()
    }

    #[test]
    fn the_tables_of_a_sweep_have_types() {
        let project = project();
        // Agents with the script `fall` and the higher speed fall, so that there are errors in the table.
        let answer = project.flockwork(&["sweep", "a.plan.ron", "--parquet"]).says(1, &[]);
        assert!(
            answer.out().contains("\nthe table is in a.sweep/runs.parquet too\n"),
            "{}",
            answer.out()
        );
        let types = assert_same(&project, "a.sweep/runs");
        let expected = "run: integer, point: integer, groups.walkers.params.push: double, \
            groups.walkers.velocity.0: double, groups.walkers.body.solid: boolean, \
            groups.walkers.behavior: string, ticks: integer, seed: natural, tick: integer, \
            state_hash: string, agents: integer, mean_speed: double, walkers.time_to_goal: double, \
            holds.1.NoOverlap: boolean, holds.2.MaxSpeed: boolean, margin.1.NoOverlap: double, \
            margin.2.MaxSpeed: double, error: string";
        assert_eq!(types.join(", "), expected);
        let types = assert_same(&project, "a.sweep/series");
        let expected = "run: integer, tick: integer, agents: integer, mean_speed: double, \
            walkers.time_to_goal: double";
        assert_eq!(types.join(", "), expected);
        // The table of a sweep that is complete, by any number of threads and from parts.
        let tables = |folder: &str| {
            ["runs", "series"]
                .map(|name| fs::read(project.path(&format!("{folder}/{name}.parquet"))).unwrap())
        };
        let expected = tables("a.sweep");
        let sweep = |args: &str, code: i32| {
            let line = format!("sweep a.plan.ron {args}");
            project.flockwork(&line.split(' ').collect::<Vec<_>>()).says(code, &[]);
        };
        sweep("--out later --threads 1", 1);
        assert!(!names(&project.path("later")).contains(&"runs.parquet".to_owned()));
        sweep("--out later --parquet", 1);
        assert_eq!(tables("later"), expected);
        // A part does not judge the whole.
        for shard in ["2/3", "1/3", "3/3"] {
            sweep(&format!("--out parts --threads 2 --shard {shard}"), 0);
        }
        project.flockwork(&["merge", "parts", "--parquet"]).says(1, &[]);
        assert_eq!(tables("parts"), expected);
    }

    /// More rows than are kept in memory at a time.
    #[test]
    fn a_long_table_is_complete() {
        let scenario = project().read("scenarios/two.ron").replace("ticks: 10,", "ticks: 120000,");
        let project = project().with("scenarios/two.ron", scenario);
        for file in ["m.csv", "m.parquet"] {
            let measures = ["--measure", "mean_speed", "--measure", "goals_reached"];
            let args = [&["run", "scenarios/two.ron", "--measures", file], &measures[..]].concat();
            project.flockwork(&args).says(0, &[]);
        }
        let types = assert_same(&project, "m");
        assert_eq!(
            types.join(", "),
            "tick: integer, time_s: double, mean_speed: double, goals_reached: integer"
        );
    }

    #[test]
    fn measures_over_time_have_types() {
        // Alone, so that there is no pair, and nobody has reached the goal at first.
        let scenario = project().read("scenarios/two.ron").replace("(0, 0), (0, 10)", "(0, 0)");
        let project = project().with("scenarios/two.ron", scenario);
        for file in ["m.csv", "m.parquet"] {
            let args = ["run", "scenarios/two.ron", "--measures", file, "--every", "3"];
            project.flockwork(&args).says(0, &[]);
        }
        let types = assert_same(&project, "m").join(", ");
        for of in [
            "tick: integer",
            "time_s: double",
            "agents: integer",
            "closest_pair: null",
            "time_to_goal: double",
        ] {
            assert!(types.contains(of), "{of} in {types}");
        }
    }

    #[test]
    fn a_sweep_keeps_other_files_named_like_its_tables() {
        let project = project();
        let mine = b"PAR1 my own data PAR1".as_slice();
        for name in ["runs", "series"] {
            let file = format!("a.sweep/{name}.parquet");
            let project = Project::empty()
                .with("scenarios/two.ron", project.read("scenarios/two.ron"))
                .with("scripts/walk.rhai", project.read("scripts/walk.rhai"))
                .with("scripts/fall.rhai", project.read("scripts/fall.rhai"))
                .with("a.plan.ron", PLAN)
                .with(&file, mine);
            project
                .flockwork(&["sweep", "a.plan.ron", "--parquet"])
                .says(2, &[&file, "the file there is not a table of"]);
            assert_eq!(fs::read(project.path(&file)).unwrap(), mine);
            assert_eq!(names(&project.path("a.sweep")), [format!("{name}.parquet")]);
        }
    }
}
