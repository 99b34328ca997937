//! Job files: the shards of an experiment as jobs of an engine that runs them on many machines.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use flockwork_engine::load::{self, FileKind, OutputFile};
use flockwork_engine::{Diagnostic, Diagnostics};

use super::shard::Shard;
use super::{CommandResult, Ending, terminal, values};

/// Number of runs of a shard, unless there would be too few or too many shards. An engine needs about 30 milliseconds for a
/// job, and a short run takes one.
pub(super) const RUNS_OF_A_SHARD: u64 = 500;

/// Most shards, unless --shards is given. Slurm takes up to 1000 jobs at once by default.
pub(super) const MOST_SHARDS: u64 = 1000;

/// The folder for job files and logs, in the folder of the results.
const FOLDER: &str = "jobs";

/// Job files begin in one of these ways.
const KIND: FileKind = FileKind::new(
    "a job file",
    &[
        &[b"# Written by `flockwork sweep`."],
        &[b"# Written by `flockwork hunt`."],
        &[b"# Written by `flockwork tune`."],
        &[b"#!/bin/sh\n", b"# Written by `flockwork sweep`."],
        &[b"#!/bin/sh\n", b"# Written by `flockwork hunt`."],
        &[b"#!/bin/sh\n", b"# Written by `flockwork tune`."],
    ],
);

/// A program that runs jobs on many machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Engine {
    /// HyperQueue: a server, and workers on any number of machines
    Hyperqueue,
    /// Slurm: an array job
    Slurm,
    /// GNU parallel: this machine, or others through SSH
    Parallel,
}

impl Engine {
    /// Returns the program that starts jobs.
    fn program(self) -> &'static str {
        match self {
            Self::Hyperqueue => "hq",
            Self::Slurm => "sbatch",
            Self::Parallel => "parallel",
        }
    }

    /// Returns the job files: their names and contents. The first has the shards.
    fn files(self, jobs: &Jobs<'_>) -> Vec<(&'static str, String)> {
        match self {
            Self::Hyperqueue => vec![("hyperqueue.toml", hyperqueue(jobs))],
            Self::Slurm => {
                vec![("slurm.sh", slurm(jobs)), ("slurm-merge.sh", slurm_merge(jobs))]
            }
            Self::Parallel => vec![("parallel.sh", parallel(jobs))],
        }
    }

    /// Returns the command line that starts the jobs in these files.
    fn start(self, files: &[String]) -> String {
        let files: Vec<String> = files.iter().map(|file| shell_quote(file)).collect();
        match (self, &files[..]) {
            (Self::Slurm, [shards, merge]) => format!(
                "id=$(sbatch --parsable {shards}) && \
                 sbatch --dependency=afterok:\"${{id%%;*}}\" --kill-on-invalid-dep=yes {merge}"
            ),
            (Self::Hyperqueue, files) => format!("hq job submit-file {}", files.join(" ")),
            (_, files) => format!("sh {}", files.join(" ")),
        }
    }

    /// Says how to get the program.
    fn installing(self) -> &'static str {
        match self {
            Self::Hyperqueue => {
                "download `hq` from the releases of HyperQueue, https://github.com/It4innovations/hyperqueue; \
                 the package `hyperqueue` of PyPI is without it"
            }
            Self::Slurm => {
                "give the command on a machine of the cluster that has it; Debian's package is `slurm-client`"
            }
            Self::Parallel => "install GNU parallel; Debian's package is `parallel`",
        }
    }

    /// Says what may be wrong if the jobs do not start.
    fn advice(self) -> &'static str {
        match self {
            Self::Hyperqueue => {
                "HyperQueue needs a server, `hq server start`, and a worker on each machine, `hq worker start`"
            }
            Self::Slurm => "`sinfo` says whether the cluster can be reached",
            Self::Parallel => "give the command again: shards go on where they were",
        }
    }

    /// Checks that the program is installed.
    fn check(self) -> Result<(), Diagnostic> {
        let program = self.program();
        let missing = |why: &str| {
            Diagnostic::error(format!("cannot start jobs: {why}")).help(self.installing())
        };
        match Command::new(program).arg("--version").output() {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(missing(&format!("the program `{program}` is not installed")))
            }
            Err(error) => Err(missing(&format!("the program `{program}` does not start: {error}"))),
            // Another program has the same name.
            Ok(answer) if self == Self::Parallel && !answer.stdout.starts_with(b"GNU parallel") => {
                Err(missing(&format!("the program `{program}` is not GNU parallel")))
            }
            Ok(_) => Ok(()),
        }
    }
}

/// The options of a command that other machines can share.
#[derive(Debug, clap::Args)]
pub(super) struct ShardArgs {
    /// Run only shard I of N, for example 2/8; `flockwork merge` joins them
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,

    /// Write the files for jobs on many machines, and say how to start them
    #[arg(long, value_name = "ENGINE", conflicts_with = "shard")]
    pub(super) on: Option<Engine>,

    /// Number of shards, for --on [default: as many as suit the number of runs]
    #[arg(long, value_name = "N", requires = "on", value_parser = values::at_least_one)]
    pub(super) shards: Option<u64>,

    /// Start the jobs too, for --on
    #[arg(long, requires = "on")]
    pub(super) submit: bool,
}

/// The command whose shards are jobs.
pub(super) struct Job<'j> {
    /// Its name.
    pub(super) command: &'static str,
    /// Its file.
    pub(super) file: &'j Path,
    /// Its other words, beside those about the shard, the folder and the threads.
    pub(super) options: Vec<String>,
    /// The option that names the folder.
    pub(super) folder_option: &'static str,
    /// The folder of the results.
    pub(super) folder: &'j Path,
    /// Words for the command that joins the shards.
    pub(super) merge_options: Vec<String>,
    /// Number of runs of all shards.
    pub(super) runs: u64,
    /// Number of shards, unless --shards is given.
    pub(super) default_shards: u64,
    /// Number of threads of a shard; 0 if none is given.
    pub(super) threads: usize,
}

/// A job with what it becomes in files. All paths are absolute.
struct Jobs<'j> {
    job: &'j Job<'j>,
    /// The path of this program.
    program: String,
    file: String,
    folder: String,
    shards: u64,
    threads: usize,
}

impl Jobs<'_> {
    /// Returns the command line of a shard.
    fn shard(&self, index: &str) -> Vec<String> {
        let shard = format!("{index}/{}", self.shards);
        let threads = self.threads.to_string();
        let mut line = vec![self.program.clone(), self.job.command.into(), self.file.clone()];
        line.extend(["--shard".into(), shard]);
        line.extend([self.job.folder_option.into(), self.folder.clone()]);
        line.extend(["--threads".into(), threads]);
        line.extend(self.job.options.iter().cloned());
        line
    }

    /// Returns the command line that joins the shards.
    fn merge(&self) -> Vec<String> {
        let mut line = vec![self.program.clone(), "merge".into(), self.folder.clone()];
        line.extend(self.job.merge_options.iter().cloned());
        line
    }

    /// Returns the path of a log.
    fn log(&self, name: &str) -> String {
        Path::new(&self.folder).join(FOLDER).join(name).display().to_string()
    }

    /// Returns the words with which job files begin.
    fn written_by(&self) -> String {
        format!("# Written by `flockwork {}`.", self.job.command)
    }
}

/// Returns the number of shards that suits a number of runs: one for `each` runs, but at least `least`.
pub(super) fn default_shards(runs: u64, each: u64, least: u64) -> u64 {
    runs.div_ceil(each).clamp(least, MOST_SHARDS)
}

/// Writes the job files of a command into its folder, and starts them if asked for.
pub(super) fn write(engine: Engine, args: &ShardArgs, job: &Job<'_>) -> CommandResult {
    if args.submit {
        engine.check()?;
    }
    let Job { folder, runs, .. } = *job;
    if let Some(word) = job.options.iter().find(|word| word.contains(char::is_control)) {
        let word = word.escape_debug();
        return Err(Diagnostic::error(format!(
            "cannot write `{word}` into a job file: it has a line break or another control character"
        ))
        .into());
    }
    let shards = args.shards.unwrap_or(job.default_shards).min(runs.max(1));
    load::make_folder(folder)?;
    check_older_shards(job.command, folder, shards)?;
    let program = std::env::current_exe().map_err(|error| {
        Diagnostic::error(format!("cannot find out the path of this program: {error}"))
    })?;
    let jobs = Jobs {
        job,
        program: absolute(&program)?,
        file: absolute(job.file)?,
        folder: absolute(folder)?,
        shards,
        threads: job.threads.max(1),
    };
    let jobs_folder = Path::new(&jobs.folder).join(FOLDER);
    load::make_folder(&jobs_folder)?;
    let mut files = Vec::new();
    for (name, text) in engine.files(&jobs) {
        let path = jobs_folder.join(name);
        OutputFile::create(&path, KIND)?.write_whole(text)?;
        files.push(path.display().to_string());
    }
    let start = engine.start(&files);
    let shards = match shards {
        1 => "1 shard".to_owned(),
        _ => format!("{shards} shards"),
    };
    if args.submit {
        terminal::say(&format!("{shards}: starting the jobs in {}", jobs_folder.display()));
        let status = Command::new("sh").args(["-c", &start]).status();
        let why = match status {
            Ok(status) if status.success() => return Ok(Ending::Success),
            // The last job has said what failed.
            Ok(status) if engine == Engine::Parallel && status.code() == Some(MERGE_SHORTFALL) => {
                return Ok(Ending::Shortfall);
            }
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let failed = format!("starting the jobs has failed: {why}: {start}");
        return Err(Diagnostic::error(failed).help(engine.advice()).into());
    }
    let mut merge = vec![folder.display().to_string()];
    merge.extend(job.merge_options.iter().cloned());
    terminal::print(&format!(
        "{shards} with {runs} runs are in {}\nto start them:\n  {start}\n\
         the last job joins the results, as this does:\n  flockwork merge {}\n",
        files[0],
        shell_line(&merge)
    ))?;
    Ok(Ending::Success)
}

/// The exit code of `merge` if something has failed in the runs.
const MERGE_SHORTFALL: i32 = 1;

/// Checks that a folder has no shards of another number of shards, which could not be joined.
fn check_older_shards(command: &str, folder: &Path, shards: u64) -> Result<(), Diagnostic> {
    for older in load::folders(folder)? {
        let name = older.file_name().unwrap_or_default().to_string_lossy();
        let count = name.strip_prefix("shard-").and_then(|name| name.split_once("-of-"));
        let count = count.and_then(|(_, count)| count.parse::<u64>().ok());
        if let Some(count) = count.filter(|count| *count != shards) {
            return Err(Diagnostic::error(format!(
                "the {command} has been begun with {count} shards, not {shards}: {}",
                older.display()
            ))
            .help(format!("go on with --shards {count}, delete the folders of these shards, or name another folder")));
        }
    }
    Ok(())
}

/// Returns an absolute path as text.
pub(super) fn absolute(path: &Path) -> Result<String, Diagnostics> {
    let fail = |why: String| {
        Diagnostic::error(format!("cannot write {} into a job file: {why}", path.display()))
    };
    let absolute: PathBuf = std::path::absolute(path).map_err(|error| fail(error.to_string()))?;
    // Without control characters, all engines can quote it.
    match absolute.to_str() {
        Some(text) if !text.contains(char::is_control) => Ok(text.to_owned()),
        Some(_) => Err(fail("it has a line break or another control character".into()).into()),
        None => Err(fail("it is not UTF-8".into()).into()),
    }
}

fn hyperqueue(jobs: &Jobs<'_>) -> String {
    let quote = |text: &str| {
        // A string in JSON is one in TOML too. Strings can always be serialized.
        serde_json::to_string(text).unwrap_or_default()
    };
    let command = |line: &[String]| {
        let words: Vec<String> = line.iter().map(|word| quote(word)).collect();
        words.join(", ")
    };
    let output = |log: &str| {
        let log = quote(&jobs.log(log));
        format!(
            "stdout = \"none\"\nstderr = {{ path = {log}, on_close = \"rm-if-finished\" }}\n\
             # The number of workers that may be lost.\ncrash_limit = 20\n"
        )
    };
    let mut text = format!(
        "{} Start it with `hq job submit-file`.\nname = \"flockwork-{}\"\n",
        jobs.written_by(),
        jobs.job.command
    );
    for index in 1..=jobs.shards {
        text.push_str(&format!(
            "\n[[task]]\nid = {index}\ncommand = [{}]\n{}[[task.request]]\nresources = {{ cpus = {} }}\n",
            command(&jobs.shard(&index.to_string())),
            output(&format!("shard-{index}.log")),
            jobs.threads,
        ));
    }
    let all: Vec<String> = (1..=jobs.shards).map(|index| index.to_string()).collect();
    text.push_str(&format!(
        "\n[[task]]\nid = {}\ndeps = [{}]\ncommand = [{}]\n{}",
        jobs.shards + 1,
        all.join(", "),
        command(&jobs.merge()),
        output("merge.log"),
    ));
    text
}

fn slurm(jobs: &Jobs<'_>) -> String {
    let Jobs { shards, threads, .. } = jobs;
    let (written_by, command) = (jobs.written_by(), jobs.job.command);
    let log = shell_quote(&jobs.log("shard-"));
    // The index is the only word that the shell expands.
    let line = shell_line(&jobs.shard(INDEX)).replace(INDEX, "\"$SLURM_ARRAY_TASK_ID\"");
    format!(
        "#!/bin/sh
{written_by}
#SBATCH --job-name=flockwork-{command}
#SBATCH --array=1-{shards}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={threads}
#SBATCH --requeue
#SBATCH --output=/dev/null
log={log}\"$SLURM_ARRAY_TASK_ID.log\"
{line} >\"$log\" 2>&1
code=$?
if [ \"$code\" -eq 0 ]; then
    rm -f \"$log\"
elif [ \"$code\" -gt 128 ] && [ \"${{SLURM_RESTART_COUNT:-0}}\" -lt 3 ]; then
    # A signal has ended it. Its next run goes on where it was. SLURM_JOB_ID of the last task names the whole array.
    scontrol requeue \"${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID\"
fi
exit \"$code\"
"
    )
}

fn slurm_merge(jobs: &Jobs<'_>) -> String {
    format!(
        "#!/bin/sh
{}
#SBATCH --job-name=flockwork-merge
#SBATCH --ntasks=1
#SBATCH --requeue
#SBATCH --output=/dev/null
{} >{} 2>&1
",
        jobs.written_by(),
        shell_line(&jobs.merge()),
        shell_quote(&jobs.log("merge.log"))
    )
}

fn parallel(jobs: &Jobs<'_>) -> String {
    // By default GNU parallel starts a job for each core.
    let share = (100 / jobs.threads).max(1);
    let lines: Vec<String> =
        (1..=jobs.shards).map(|index| shell_line(&jobs.shard(&index.to_string()))).collect();
    format!(
        "#!/bin/sh
{} It takes options of GNU parallel, such as --sshlogin HOST or --bar.
parallel --retries 4 --jobs {share}% --joblog {} \"$@\" >/dev/null <<'END' || exit 2
{}
END
exec {}
",
        jobs.written_by(),
        shell_quote(&jobs.log("parallel.log")),
        lines.join("\n"),
        shell_line(&jobs.merge())
    )
}

/// Stands for the index of a shard. No path contains it, since paths have no control characters.
const INDEX: &str = "\u{1}";

/// Returns a command line for a shell.
pub(super) fn shell_line(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| shell_quote(word)).collect();
    words.join(" ")
}

/// Returns a word for a shell, in quotes if it needs them.
pub(super) fn shell_quote(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-:=+,@\u{1}".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_neither_few_nor_tiny_nor_too_many() {
        let cases =
            [(1, 8), (4000, 8), (4001, 9), (60_000, 120), (1_000_000, 1000), (u64::MAX, 1000)];
        for (runs, shards) in cases {
            assert_eq!(default_shards(runs, RUNS_OF_A_SHARD, 8), shards, "{runs}");
        }
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_read_more_than_the_word() {
        assert_eq!(shell_quote("/a/b-1.ron"), "/a/b-1.ron");
        assert_eq!(shell_quote("a b"), "'a b'");
        assert_eq!(shell_quote("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(shell_quote(""), "''");
    }
}
