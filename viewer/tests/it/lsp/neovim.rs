//! A real editor: Neovim without a screen, and its built-in client, with the settings of the book.

use std::process::Command;

use super::editor::{SCENARIO, SCRIPT, path_with_program};
use crate::project::{Project, skipped};

/// The script of the editor, step by step. Each `log` writes a line that the test compares.
const SESSION: &str = r#"
local lines = {}
local function log(...) table.insert(lines, table.concat({ ... }, " ")) end
local function finish()
  vim.fn.writefile(lines, "log")
  vim.cmd("qall!")
end
local function wait(what, condition)
  if not vim.wait(20000, condition, 10) then
    log("no " .. what)
    finish()
  end
end
local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") end

vim.cmd("edit scripts/walk.rhai")
local script = vim.api.nvim_get_current_buf()
local client
wait("server", function()
  client = select(2, next(vim.lsp.buf_get_clients(script)))
  return client and client.initialized
end)

-- Findings while typing, and none after undoing.
vim.api.nvim_buf_set_lines(script, 1, 2, false, { "    vec(me.params.pussh, 0)" })
wait("finding", function() return #vim.diagnostic.get(script) == 1 end)
local found = vim.diagnostic.get(script)[1]
log("finding", found.code, found.lnum, found.col, (found.message:gsub("\n.*", "")))

-- A code action of the finding.
local params = vim.lsp.util.make_given_range_params({ 2, 18 }, { 2, 18 })
params.context = { diagnostics = {} }
local actions = client.request_sync("textDocument/codeAction", params, 20000, script).result
log("action", actions[1].title)
vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
wait("repair", function() return #vim.diagnostic.get(script) == 0 end)

-- Completion by the function that editors use.
vim.api.nvim_buf_set_lines(script, 1, 2, false, { "    vec(me.params." })
local at = vim.lsp.util.make_position_params(0, client.offset_encoding)
at.position = { line = 1, character = 18 }
local items = client.request_sync("textDocument/completion", at, 20000, script).result
log("completion", items[1].label)
vim.api.nvim_buf_set_lines(script, 1, 2, false, { "    vec(me.params.push, 0)" })

-- To the declaration in the scenario, and a new name in both files.
vim.api.nvim_win_set_cursor(0, { 2, 19 })
vim.lsp.buf.definition()
wait("definition", function() return vim.fn.expand("%:t") == "a.ron" end)
local place = vim.api.nvim_win_get_cursor(0)
log("definition", place[1], place[2])
local scenario = vim.api.nvim_get_current_buf()
vim.lsp.buf.rename("force")
wait("new name", function() return text():find('"force"') ~= nil end)
vim.api.nvim_set_current_buf(script)
log("renamed", (text():gsub("\n", "|")))
-- Saving formats.
vim.api.nvim_buf_set_lines(script, 1, 2, false, { "  vec(me.params.force,0)  " })
vim.cmd("write")
log("saved", (text():gsub("\n", "|")))
wait("no findings", function() return #vim.diagnostic.get(nil) == 0 end)

-- The lens above `steer`, as `vim.lsp.codelens.run()` starts it.
vim.cmd("silent wall")
vim.lsp.codelens.refresh()
wait("lenses", function() return #vim.lsp.codelens.get(script) == 3 end)
vim.ui.select = function(items, options, choose)
  for index, item in ipairs(items) do
    if options.format_item(item):find("test") then choose(item, index) end
  end
end
local shown
vim.lsp.handlers["window/showMessage"] = function(_, result) shown = result.message end
vim.api.nvim_win_set_cursor(0, { 1, 0 })
vim.lsp.codelens.run()
wait("result", function() return shown ~= nil end)
log("tested", (shown:gsub("\n", "|")))
wait("failure", function() return #vim.diagnostic.get(scenario) == 1 end)
log("failure", vim.diagnostic.get(scenario)[1].lnum)

client.stop()
wait("end", function() return client.is_stopped() end)
log("stopped")
finish()
"#;

const SETTINGS: &str = include_str!("../../../editors/neovim/flockwork.lua");

#[test]
fn neovim_shows_findings_completes_renames_formats_follows_definitions_and_runs_lenses() {
    let version = Command::new("nvim").arg("--version").output();
    if version.is_err() {
        skipped("there is no nvim here");
        return;
    }
    let project = Project::empty()
        .with("scenarios/a.ron", SCENARIO)
        .with("scripts/walk.rhai", SCRIPT)
        .with("flockwork.lua", SETTINGS)
        .with("session.lua", SESSION);
    let output = Command::new("nvim")
        .args([
            "--headless",
            "--clean",
            "-n",
            "-c",
            "luafile flockwork.lua",
            "-c",
            "luafile session.lua",
        ])
        .current_dir(project.path(""))
        .env("PATH", path_with_program())
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(project.path("log").is_file(), "{shown}");
    let expected = "\
finding unknown-name 1 18 group `walkers` has no param `pussh`
action Write `push`
completion push
definition 4 74
renamed fn steer(me) {|    vec(me.params.force, 0)|}
saved fn steer(me) {|    vec(me.params.force, 0)|}
tested a.ron: failed|agent 0 (walkers) has speed 0.01667 at tick 1; expected at most 0.01
failure 6
stopped
";
    assert_eq!(project.read("log"), expected, "{shown}");
}
