//! What words mean that panels use, in the words of the glossary of the book.

/// A word of a panel.
#[derive(Clone, Copy)]
pub(super) struct Term {
    pub(super) word: &'static str,
    pub(super) means: &'static str,
}

pub(super) const GOLDEN: Term = Term {
    word: "golden",
    means: "the recorded trajectories and measures that a run is compared with",
};
pub(super) const GRAY_RUN: Term = Term {
    word: "gray run",
    means: "another run, or the golden, that is drawn in gray beside this one, so that you can compare them",
};
pub(super) const NOT_JUDGED_YET: Term = Term {
    word: "not judged yet",
    means: "an expectation that says nothing yet at this tick: its time has not come, or it is about the end of the run",
};
pub(super) const MARGIN: Term = Term {
    word: "margin",
    means: "how far an expectation is from failing, in its own unit; negative exactly if it fails",
};
pub(super) const NEARLY_FAILED: Term = Term {
    word: "nearly failed",
    means: "an expectation has held so far, but its margin was once at most a tenth of its bound",
};

impl Term {
    /// Returns what a tooltip says about the word.
    pub(super) fn note(self) -> String {
        format!("{}: {}", self.word, self.means)
    }
}
