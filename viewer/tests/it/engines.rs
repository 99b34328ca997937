//! `flockwork sweep --on`: shards that run as jobs of the real engines, where these are installed.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use snapbox::{IntoData, str};

use crate::project::{Project, skipped};

/// Agents that wander for a while.
const WANDERERS: &str = r#"(
    ticks: 2500,
    world: (size: (100, 100), edge: Wrap),
    groups: { "a": (behavior: "wander", count: 40, spawn: Disc(center: (50, 50), radius: 20), body: (max_speed: 9)) },
)
"#;

const WANDER: &str = "fn steer(me) { me.wander() + 0.2 * me.separation(5) }\n";

/// Enough runs for jobs that can be stopped in the middle.
const PLAN: &str = r#"(
    scenario: "scenarios/wanderers.ron",
    vary: { "groups.a.body.max_speed": Range(from: 5, to: 12, steps: 60) },
    seeds: 3,
    sweep: (every: 500),
)
"#;

/// Number of runs of each of three shards.
const RUNS: usize = 60;

/// Time after which a test gives up.
const PATIENCE: Duration = Duration::from_secs(180);

fn wanderers() -> Project {
    Project::empty()
        .with("scenarios/wanderers.ron", WANDERERS)
        .with("scripts/wander.rhai", WANDER)
        .with("it's long.plan.ron", PLAN)
}

/// Writes job files into `parts`, and returns the files below `parts/jobs`, with all paths shortened.
fn job_files(project: &Project, args: &[&str]) -> String {
    let all = [&["sweep", "it's long.plan.ron", "--out", "parts"], args].concat();
    let answer = project.flockwork(&all).says(0, &[]);
    let mut text = answer.out();
    let mut names = crate::project::names(&project.path("parts/jobs"));
    names.sort();
    for name in names {
        text += &format!("-- {name}\n{}", project.read(&format!("parts/jobs/{name}")));
    }
    let folder = project.path("").canonicalize().unwrap();
    let program = snapbox::cmd::cargo_bin!("flockwork").canonicalize().unwrap();
    text.replace(&program.display().to_string(), "/bin/flockwork")
        .replace(&folder.display().to_string(), "/project")
}

#[test]
fn job_files_have_a_job_for_each_shard_and_one_that_joins_them() {
    let args = ["--shards", "2", "--threads", "3", "--on"];
    let files = |engine| job_files(&wanderers(), &[&args[..], &[engine]].concat());
    snapbox::assert_data_eq!(files("hyperqueue"), str![[r#"
2 shards with 180 runs are in /project/parts/jobs/hyperqueue.toml
to start them:
  hq job submit-file /project/parts/jobs/hyperqueue.toml
the last job joins the results, as this does:
  flockwork merge parts
-- hyperqueue.toml
# Written by `flockwork sweep`. Start it with `hq job submit-file`.
name = "flockwork-sweep"

[[task]]
id = 1
command = ["/bin/flockwork", "sweep", "/project/it's long.plan.ron", "--shard", "1/2", "--out", "/project/parts", "--threads", "3"]
stdout = "none"
stderr = { path = "/project/parts/jobs/shard-1.log", on_close = "rm-if-finished" }
# The number of workers that may be lost.
crash_limit = 20
[[task.request]]
resources = { cpus = 3 }

[[task]]
id = 2
command = ["/bin/flockwork", "sweep", "/project/it's long.plan.ron", "--shard", "2/2", "--out", "/project/parts", "--threads", "3"]
stdout = "none"
stderr = { path = "/project/parts/jobs/shard-2.log", on_close = "rm-if-finished" }
# The number of workers that may be lost.
crash_limit = 20
[[task.request]]
resources = { cpus = 3 }

[[task]]
id = 3
deps = [1, 2]
command = ["/bin/flockwork", "merge", "/project/parts"]
stdout = "none"
stderr = { path = "/project/parts/jobs/merge.log", on_close = "rm-if-finished" }
# The number of workers that may be lost.
crash_limit = 20

"#]].raw());
    snapbox::assert_data_eq!(files("slurm"), str![[r#"
2 shards with 180 runs are in /project/parts/jobs/slurm.sh
to start them:
  id=$(sbatch --parsable /project/parts/jobs/slurm.sh) && sbatch --dependency=afterok:"${id%%;*}" --kill-on-invalid-dep=yes /project/parts/jobs/slurm-merge.sh
the last job joins the results, as this does:
  flockwork merge parts
-- slurm-merge.sh
#!/bin/sh
# Written by `flockwork sweep`.
#SBATCH --job-name=flockwork-merge
#SBATCH --ntasks=1
#SBATCH --requeue
#SBATCH --output=/dev/null
/bin/flockwork merge /project/parts >/project/parts/jobs/merge.log 2>&1
-- slurm.sh
#!/bin/sh
# Written by `flockwork sweep`.
#SBATCH --job-name=flockwork-sweep
#SBATCH --array=1-2
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=3
#SBATCH --requeue
#SBATCH --output=/dev/null
log=/project/parts/jobs/shard-"$SLURM_ARRAY_TASK_ID.log"
/bin/flockwork sweep '/project/it'\''s long.plan.ron' --shard "$SLURM_ARRAY_TASK_ID"/2 --out /project/parts --threads 3 >"$log" 2>&1
code=$?
if [ "$code" -eq 0 ]; then
    rm -f "$log"
elif [ "$code" -gt 128 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then
    # A signal has ended it. Its next run goes on where it was. SLURM_JOB_ID of the last task names the whole array.
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
exit "$code"

"#]].raw());
    snapbox::assert_data_eq!(files("parallel"), str![[r#"
2 shards with 180 runs are in /project/parts/jobs/parallel.sh
to start them:
  sh /project/parts/jobs/parallel.sh
the last job joins the results, as this does:
  flockwork merge parts
-- parallel.sh
#!/bin/sh
# Written by `flockwork sweep`. It takes options of GNU parallel, such as --sshlogin HOST or --bar.
parallel --retries 4 --jobs 33% --joblog /project/parts/jobs/parallel.log "$@" >/dev/null <<'END' || exit 2
/bin/flockwork sweep '/project/it'\''s long.plan.ron' --shard 1/2 --out /project/parts --threads 3
/bin/flockwork sweep '/project/it'\''s long.plan.ron' --shard 2/2 --out /project/parts --threads 3
END
exec /bin/flockwork merge /project/parts

"#]].raw());
}

#[test]
fn the_number_of_shards_follows_from_the_runs_and_stays() {
    let project = wanderers();
    let text = job_files(&project, &["--on", "slurm"]);
    assert!(text.contains("8 shards with 180 runs"), "{text}");
    assert!(text.contains("#SBATCH --array=1-8\n"), "{text}");
    let sweep = |args: &[&str]| {
        project.flockwork(&[&["sweep", "it's long.plan.ron", "--out", "parts"], args].concat())
    };
    sweep(&["--shard", "1/9"]).says(0, &[]);
    let parts = ["has been begun with 9 shards, not 8: parts/shard-1-of-9", "--shards 9"];
    sweep(&["--on", "slurm"]).says(2, &parts);
    sweep(&["--on", "slurm", "--shards", "9"]).says(0, &[]);
}

#[test]
fn an_engine_that_is_not_installed_is_named_with_its_package() {
    let project = wanderers();
    for (engine, parts) in [
        ("hyperqueue", ["`hq` is not installed", "releases of HyperQueue"]),
        ("slurm", ["`sbatch` is not installed", "`slurm-client`"]),
        ("parallel", ["`parallel` is not installed", "Debian's package is `parallel`"]),
    ] {
        let args = ["sweep", "it's long.plan.ron", "--on", engine, "--submit"];
        let answer = project.command(&args).env("PATH", project.path("")).output().unwrap();
        let err = String::from_utf8(answer.stderr).unwrap();
        assert_eq!(answer.status.code(), Some(2), "{err}");
        assert!(parts.iter().all(|part| err.contains(part)), "{err}");
        assert!(!project.path("it's long.sweep").exists());
    }
}

/// Returns whether a program is installed; reports the skipped test if it is not.
fn is_installed(program: &str, package: &str) -> bool {
    let started = Command::new(program).arg("--version").stdout(Stdio::null()).status();
    if started.is_err() {
        skipped(&format!("{program} is not installed ({package})"));
    }
    started.is_ok()
}

/// A process that is killed at the end of the test.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Self {
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    fn kill(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts the sweep on an engine, as three shards in the folder `parts`.
fn submit(project: &Project, engine: &str, environment: (&str, &Path)) -> Command {
    let mut command = Command::new(snapbox::cmd::cargo_bin!("flockwork"));
    command
        .current_dir(project.path(""))
        .env(environment.0, environment.1)
        .args(["sweep", "it's long.plan.ron", "--out", "parts", "--shards", "3"])
        .args(["--on", engine, "--submit"]);
    command
}

/// Waits until a condition gives a value.
#[track_caller]
fn wait_for<T>(what: &str, project: &Project, mut condition: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(value) = condition() {
            return value;
        }
        if Instant::now() > until {
            let mut logs = String::new();
            for path in project.all_names() {
                if path.extension().is_some_and(|ending| ending == "log") {
                    let text = fs::read_to_string(&path).unwrap_or_default();
                    logs += &format!("-- {}\n{text}", path.display());
                }
            }
            panic!("waited too long for {what}\n{logs}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Returns the number of runs of a shard that are in its table.
fn runs_done(project: &Project, shard: usize) -> usize {
    let table = project.path(&format!("parts/shard-{shard}-of-3/runs.csv"));
    fs::read_to_string(table).unwrap_or_default().lines().count().saturating_sub(1)
}

/// Waits until a shard is in the middle, and returns it with the number of its process.
fn shard_in_the_middle(project: &Project) -> (usize, u32) {
    wait_for("a shard in the middle", project, || {
        let shard = (1..=3).find(|shard| (1..RUNS).contains(&runs_done(project, *shard)))?;
        Some((shard, shard_process(project, shard)?))
    })
}

/// Returns the number of the process that runs a shard.
fn shard_process(project: &Project, shard: usize) -> Option<u32> {
    let folder = project.path("parts").canonicalize().unwrap().display().to_string();
    let shard = format!("{shard}/3");
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        entry.unwrap().file_name().to_str().and_then(|name| name.parse::<u32>().ok())
    });
    let mut processes = processes.filter(|process| {
        let line = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
        let words: Vec<&str> = line.split('\0').collect();
        // The shell that starts it has all this in one word.
        words[0].ends_with("flockwork") && words.contains(&&*shard) && words.contains(&&*folder)
    });
    processes.next()
}

/// Kills a shard in the middle, and checks that its process did not complete it.
fn kill_a_shard(project: &Project) {
    let (shard, process) = shard_in_the_middle(project);
    let killed = Command::new("kill").args(["-9", &process.to_string()]).status();
    assert!(killed.unwrap().success());
    wait_for("its end", project, || {
        shard_process(project, shard).is_none_or(|now| now != process).then_some(())
    });
    let done = runs_done(project, shard);
    assert!(done < RUNS, "the shard was complete");
}

/// Compares the joined table with that of one process.
#[track_caller]
fn assert_same_table(project: &Project) {
    project.flockwork(&["sweep", "it's long.plan.ron", "--out", "one"]).says(0, &[]);
    for table in ["runs.csv", "series.csv"] {
        let expected = project.read(&format!("one/{table}"));
        assert!(project.read(&format!("parts/{table}")) == expected, "{table} differs");
    }
}

/// Waits until the last job has joined the tables.
fn wait_for_merge(project: &Project) {
    // The description of the whole is written last.
    let merged = project.path("parts/sweep.json");
    wait_for("the merged tables", project, || merged.exists().then_some(()));
}

#[test]
fn gnu_parallel_repeats_a_shard_that_was_killed() {
    if !is_installed("parallel", "Debian: parallel") {
        return;
    }
    let project = wanderers();
    let mut parallel =
        Process::start(&mut submit(&project, "parallel", ("HOME", &project.path(""))));
    kill_a_shard(&project);
    let code = parallel.0.wait().unwrap().code();
    assert_eq!(code, Some(0));
    assert_same_table(&project);
}

/// A scenario in which agents overlap, and a plan that tunes it.
fn hunted_and_tuned() -> Project {
    let scenario = WANDERERS
        .replace("ticks: 2500", "ticks: 60, expect: [NoOverlap()]")
        .replace("max_speed: 9", "max_speed: 9, radius: 1");
    let plan = r#"(
    scenario: "scenarios/wanderers.ron",
    vary: { "groups.a.body.max_speed": Range(from: 5, to: 12) },
    tune: (goals: [Minimize("spread")], budget: 60, confirm: 3),
)
"#;
    wanderers().with("scenarios/wanderers.ron", scenario).with("it's tuned.plan.ron", plan)
}

#[test]
fn job_files_of_hunts_have_absolute_paths_and_all_options() {
    let project = hunted_and_tuned().with("before/wander.rhai", "fn steer(me) { vec(0, 0) }\n");
    let line = "hunt scenarios/wanderers.ron --runs 1200 --seed 4 --against before --plan it's@long.plan.ron --keep seed,events --on parallel";
    let args: Vec<String> = line.split(' ').map(|word| word.replace('@', " ")).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    project.flockwork(&args).says(0, &[]);
    let text = project.read("scenarios/wanderers.hunt/jobs/parallel.sh");
    let folder = project.path("").canonicalize().unwrap();
    let text = text.replace(&folder.display().to_string(), "/project");
    let lines: Vec<&str> = text.lines().filter(|line| line.contains(" hunt ")).collect();
    assert_eq!(lines.len(), 3, "{text}");
    let words = " hunt /project/scenarios/wanderers.ron --shard 2/3 --folder /project/scenarios/wanderers.hunt --threads 1 \
        --runs 1200 --seed 4 --shrink-runs 2000 --plan '/project/it'\\''s long.plan.ron' --against /project/before --keep seed,events";
    assert!(lines[1].ends_with(words), "{}", lines[1]);
    assert!(text.starts_with("#!/bin/sh\n# Written by `flockwork hunt`."), "{text}");
}

#[test]
fn gnu_parallel_runs_hunts_and_tunes() {
    if !is_installed("parallel", "Debian: parallel") {
        return;
    }
    let project = hunted_and_tuned();
    let submit = |args: &[&str]| {
        let all = [args, &["--shards", "3", "--on", "parallel", "--submit"]].concat();
        let answer = project.command(&all).env("HOME", project.path("")).output().unwrap();
        let text = String::from_utf8_lossy(&answer.stderr).into_owned();
        (answer.status.code(), text)
    };
    // Something was found, which is no failure of the jobs.
    let (code, text) = submit(&["hunt", "scenarios/wanderers.ron", "--runs", "30"]);
    assert_eq!(code, Some(1), "{text}");
    // After a change, everything begins again, with another number of shards.
    fs::write(project.path("scripts/wander.rhai"), "fn steer(me) { me.wander() }\n").unwrap();
    let line = ["hunt", "scenarios/wanderers.ron", "--runs", "30", "--shards", "2", "--on"];
    let again = |more: &[&str]| project.flockwork(&[&line[..], &["parallel"], more].concat());
    again(&[]).says(2, &["has been begun with 3 shards, not 2"]);
    let out = again(&["--restart"]).says(0, &[]).out();
    assert!(out.starts_with("2 shards with 30 runs"), "{out}");
    assert!(!project.path("scenarios/wanderers.hunt/shard-1-of-3").exists());
    assert!(project.path("scenarios/wanderers.hunt/failure-1.ron").exists(), "{text}");
    let (code, text) = submit(&["tune", "it's tuned.plan.ron"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(project.path("it's tuned.tune/shards.csv").exists(), "{text}");
}

#[test]
fn hyperqueue_gives_the_shard_of_a_lost_worker_to_another() {
    if !is_installed("hq", "releases of HyperQueue") {
        return;
    }
    let project = wanderers();
    let folder = project.path("server");
    let hq = |args: &[&str]| {
        let mut command = Command::new("hq");
        command.env("HQ_SERVER_DIR", &folder).args(args);
        command
    };
    let _server = Process::start(&mut hq(&["server", "start", "--host", "localhost"]));
    let access = folder.join("hq-current/access.json");
    wait_for("the server", &project, || access.exists().then_some(()));
    let worker = || Process::start(&mut hq(&["worker", "start", "--cpus", "1"]));
    let mut first = worker();
    let status = submit(&project, "hyperqueue", ("HQ_SERVER_DIR", &folder)).status().unwrap();
    assert!(status.success());
    let (shard, _) = shard_in_the_middle(&project);
    first.kill();
    let _second = worker();
    wait_for_merge(&project);
    assert_same_table(&project);
    let log = project.path(&format!("parts/jobs/shard-{shard}.log"));
    assert!(!log.exists(), "a shard that succeeds leaves no log");
}

/// Slurm on this machine alone. The processes are killed at the end of the test.
struct Slurm<'a>(&'a Project);

impl Drop for Slurm<'_> {
    fn drop(&mut self) {
        for name in ["slurmd", "slurmctld", "munged"] {
            let id = fs::read_to_string(self.0.path(&format!("slurm/{name}.pid")));
            if let Ok(id) = id {
                let _ = Command::new("kill").args(["-9", id.trim()]).status();
            }
        }
    }
}

/// Returns a port that nothing listens on.
fn free_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port().to_string()
}

#[test]
fn slurm_requeues_a_shard_that_was_killed() {
    for (program, package) in [
        ("sbatch", "slurm-client"),
        ("/usr/sbin/slurmctld", "slurmctld"),
        ("/usr/sbin/slurmd", "slurmd"),
        ("/usr/sbin/munged", "munge"),
    ] {
        if !is_installed(program, &format!("Debian: {package}")) {
            return;
        }
    }
    let project = wanderers();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/slurm.sh");
    let folder = project.path("slurm");
    let slurm = Slurm(&project);
    let started = Command::new(script).arg(&folder).args([free_port(), free_port()]).output();
    let started = started.unwrap();
    if !started.status.success() {
        return skipped(&format!(
            "Slurm does not start here: {}",
            String::from_utf8_lossy(&started.stderr)
        ));
    }
    let configuration = folder.join("slurm.conf");
    let status = submit(&project, "slurm", ("SLURM_CONF", &configuration)).status().unwrap();
    assert!(status.success());
    kill_a_shard(&project);
    wait_for_merge(&project);
    assert_same_table(&project);
    let restarted = fs::read_to_string(folder.join("slurmctld.log")).unwrap();
    assert!(restarted.to_lowercase().contains("requeuing"), "{restarted}");
    drop(slurm);
}
