//! The window: shows a run, reloads edited files, goes back in its history, and explains decisions.
//!
//! It has three parts. The [`player`] owns the session and advances it on its own thread. The screen ([`ui`],
//! [`screen`] and the panels) turns the [`view_state`] that the player publishes into pixels, and keys and clicks into
//! commands for the player. Each [`frame`] lists the open panels and their widgets: it is drawn from that list, and the
//! mouse is handled with it. The [`window`] only passes keys in and pixels out. All parts but the window work without a
//! display.

mod agent_rows;
mod area;
mod arrange;
mod ask;
mod choice;
mod choices;
mod chosen_plots;
mod clipboard;
mod code_words;
mod coloring;
mod columns;
mod command;
mod compared;
mod copies;
mod desktop;
mod editor;
mod editor_keys;
mod execute;
mod explain;
mod explain_text;
mod failed_pair;
mod file_notes;
mod file_view;
mod files;
mod find_action;
mod first_failure;
mod frame;
mod help_page;
mod icon;
mod key;
mod key_caps;
mod keys;
mod keys_file;
mod layout;
mod leaving;
mod menu_rows;
mod message_places;
mod mouse;
mod named_rows;
mod new_script;
mod other_scenarios;
mod panel;
mod panel_drawing;
mod panel_states;
mod panels;
mod param_ranges;
mod piles;
mod placed_notes;
mod player;
mod plot;
mod plot_expression;
mod plot_scale;
mod plot_sources;
mod pointer_shape;
mod predicting;
mod prediction;
mod problem_rows;
mod question;
mod question_rows;
mod reading;
mod recorder;
mod recording_mark;
mod sample;
mod scale;
mod scene_editor;
mod scene_marks;
mod screen;
mod shown_region;
mod shown_speeds;
mod shown_time;
mod snippet;
mod state_names;
mod terms;
mod text_check;
mod text_clicks;
mod text_edit;
mod text_find;
mod text_help;
mod text_names;
mod text_renaming;
mod text_rows;
mod text_writer;
mod tip;
mod tune;
mod tune_results;
mod ui;
mod ui_camera;
mod ui_command;
mod ui_copies;
mod ui_files;
mod ui_find;
mod ui_leaving;
mod ui_problems;
mod view_state;
mod widget;
mod window;
mod window_command;
mod window_events;
mod window_position;
mod window_requests;
mod word_help;
mod words;

#[cfg(test)]
mod tests;

pub(crate) use first_failure::FirstFailure;
pub(crate) use recorder::FilmFormat;
pub(crate) use scale::parse as parse_scale;
pub(crate) use tune_results::{TuneResult, TuneResults};
pub(crate) use window::{ViewSettings, WindowError, open};
