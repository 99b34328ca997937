//! A real editor: Emacs without a screen, and its client eglot, with the settings of the book.

use std::process::Command;

use super::editor::{SCENARIO, SCRIPT, path_with_program};
use crate::project::{Project, skipped};

/// The script of the editor, step by step. Each `log-line` writes a line that the test compares.
const SESSION: &str = r#"
(package-initialize)
(require 'eglot)
(defvar lines nil)
(defvar log-file (expand-file-name "log"))
(defun log-line (&rest parts)
  (setq lines (append lines (list (mapconcat (lambda (part) (format "%s" part)) parts " "))))
  (write-region (concat (mapconcat #'identity lines "\n") "\n") nil log-file nil 'quiet))
(defun wait (what condition)
  (let ((end (+ (float-time) 20)))
    (while (and (not (funcall condition)) (< (float-time) end))
      (accept-process-output nil 0.02))
    (unless (funcall condition) (log-line "no" what) (kill-emacs 1))))
(setq eglot-sync-connect t eglot-autoshutdown nil create-lockfiles nil make-backup-files nil
      flymake-no-changes-timeout 0.05)

(find-file "scripts/walk.rhai")
;; `eglot-ensure` waits for the next command, and in batch there is none.
(run-hooks 'post-command-hook)
(wait "server" #'eglot-current-server)
(log-line "mode" major-mode)

;; A finding while typing.
(goto-char (point-min))
(search-forward "push")
(replace-match "pussh" t t)
(setq flymake-log-level :error)
(flymake-mode 1)
(defun find-again () (eglot--signal-textDocument/didChange) (flymake-start) (flymake-diagnostics))
(wait "finding" #'find-again)
(let ((found (car (flymake-diagnostics))))
  (log-line "finding" (line-number-at-pos (flymake-diagnostic-beg found))
            (car (split-string (flymake-diagnostic-text found) "\n"))))

;; Completion by the function that editors use.
(search-backward "pussh")
(delete-region (point) (+ (point) 5))
(eglot--signal-textDocument/didChange)
(let* ((found (eglot-completion-at-point)))
  (log-line "completion" (car (all-completions "" (nth 2 found)))))
(insert "push")
(eglot--signal-textDocument/didChange)

;; To the declaration in the scenario, and a new name in both files.
(backward-char 2)
(let ((script (current-buffer)))
  (xref-find-definitions "push")
  (log-line "definition" (file-name-nondirectory buffer-file-name) (line-number-at-pos))
  (set-buffer script)
  (let ((eglot-confirm-server-initiated-edits nil)) (eglot-rename "force"))
  (log-line "renamed" (with-current-buffer "a.ron" (and (string-match-p "\"force\"" (buffer-string)) t))
            (and (string-match-p "me.params.force" (buffer-string)) t)))

;; Saving formats.
(goto-char (point-min))
(search-forward "    vec")
(replace-match "  vec" t t)
(eglot--signal-textDocument/didChange)
(save-buffer)
(log-line "saved" (replace-regexp-in-string "\n" "|" (buffer-string)))
(let ((server (eglot-current-server)))
  (eglot-shutdown server)
  (log-line "stopped" (not (jsonrpc-running-p server))))
"#;

const SETTINGS: &str = include_str!("../../../editors/emacs/flockwork.el");

#[test]
fn emacs_shows_findings_completes_renames_formats_and_follows_definitions() {
    let eglot = "(progn (package-initialize) (require 'eglot))";
    let has_eglot = Command::new("emacs").args(["--batch", "--eval", eglot]).output();
    if !has_eglot.is_ok_and(|output| output.status.success()) {
        skipped("there is no emacs with eglot here");
        return;
    }
    let project = Project::empty()
        .with("scenarios/a.ron", SCENARIO)
        .with("scripts/walk.rhai", SCRIPT)
        .with("flockwork.el", SETTINGS)
        .with("session.el", SESSION);
    let output = Command::new("emacs")
        .args(["--batch", "--load", "flockwork.el", "--load", "session.el"])
        .current_dir(project.path(""))
        .env("HOME", project.path(""))
        .env("PATH", path_with_program())
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(project.path("log").is_file(), "{shown}");
    let expected = "\
mode rhai-mode
finding 2 flockwork [unknown-name]: group `walkers` has no param `pussh`
completion push
definition a.ron 4
renamed t t
saved fn steer(me) {|    vec(me.params.force, 0)|}|
stopped t
";
    assert_eq!(project.read("log"), expected, "{shown}");
}
