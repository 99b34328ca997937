//! Options that all commands have that run one scenario: seed, params and threads.

use std::path::PathBuf;
#[cfg(feature = "window")]
use std::{borrow::Cow, path::Path};

use flockwork_engine::{Diagnostics, Options, Setting, load, with_threads};

use super::values;

/// The options.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct RunArgs {
    /// Use seed S instead of the scenario's
    #[arg(long, value_name = "S", value_parser = values::natural)]
    seed: Option<u64>,

    /// Set a param of a group, or a shared param with `param=V`; repeatable
    #[arg(long = "set", value_name = "group.param=V")]
    settings: Vec<Setting>,

    /// Number of threads; 0 uses one per core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::threads)]
    pub(super) threads: usize,
}

/// Inputs for one run.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct InputArgs {
    /// Take inputs from a file, a list such as `[At(tick: 3, do: Input(name: "left", down: true))]`
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    inputs: Option<PathBuf>,
}

impl InputArgs {
    /// Adds the inputs to options.
    pub(super) fn add_to(&self, options: Options) -> Result<Options, Diagnostics> {
        match &self.inputs {
            Some(path) => Ok(options.inputs(load::read(path)?)),
            None => Ok(options),
        }
    }
}

impl RunArgs {
    /// Returns the same options for the library.
    pub(super) fn options(&self) -> Options {
        let options = Options::default().settings(self.settings.iter().cloned());
        match self.seed {
            Some(seed) => options.seed(seed),
            None => options,
        }
    }

    /// Returns another command for the same run, as it is typed into a shell.
    #[cfg(feature = "window")]
    pub(super) fn command(&self, name: &str, scenario: &Path) -> String {
        let mut words = vec!["flockwork".to_owned(), name.to_owned()];
        words.push(quote(&scenario.to_string_lossy()).into_owned());
        words.extend(self.seed.map(|seed| format!("--seed {seed}")));
        words.extend(self.settings.iter().map(|Setting { group, param, value }| {
            let group = group.as_ref().map(|group| format!("{group}.")).unwrap_or_default();
            format!("--set {}", quote(&format!("{group}{param}={value}")))
        }));
        words.join(" ")
    }

    /// Runs `work` in a pool of that many threads, whose stacks are large enough for scripts.
    pub(super) fn on_threads<T: Send>(
        &self,
        work: impl FnOnce() -> Result<T, Diagnostics> + Send,
    ) -> Result<T, Diagnostics> {
        with_threads(self.threads, work)?
    }
}

/// Returns a word as it is typed into a shell.
#[cfg(feature = "window")]
fn quote(word: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./=,:+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', "'\\''")))
    }
}

#[cfg(all(test, feature = "window"))]
mod tests {
    use super::*;

    #[test]
    fn a_command_for_the_same_run_is_what_a_shell_reads() {
        let set = |text: &str| text.parse().unwrap();
        let args = RunArgs {
            seed: Some(3),
            settings: vec![set("bird.at=(1, 2)"), set("room=4.5")],
            threads: 2,
        };
        let line = args.command("explain", Path::new("it's/a.ron"));
        let wanted =
            r"flockwork explain 'it'\''s/a.ron' --seed 3 --set 'bird.at=(1, 2)' --set room=4.5";
        assert_eq!(line, wanted);
        let plain = RunArgs { seed: None, settings: Vec::new(), threads: 0 };
        assert_eq!(plain.command("explain", Path::new("a.ron")), "flockwork explain a.ron");
    }
}
