//! Components that pages are built from. Components render their props and report user actions; they never fetch. Each subject has a
//! folder; components shared by all pages are at the top level.
//!
//! Exception: the shell and the user menu may log out and reload the current user.

pub mod audit;
pub mod badge;
pub mod bar_table;
pub mod call;
pub mod campaign;
pub mod chunk_load_error;
pub mod copy_button;
pub mod curl_command;
pub mod day_chart;
pub mod delivery;
pub mod description_list;
pub mod dialog;
pub mod empty_state;
pub mod error_notice;
pub mod filter_editor;
pub mod icon;
pub mod import;
pub mod input;
pub mod json_editor;
pub mod key_figure;
pub mod lazy_mount;
pub mod lazy_view;
pub mod lead;
pub mod list;
pub mod local_time;
pub mod phone;
pub mod progress_bar;
pub mod prose;
pub mod recording;
pub mod segmented_control;
pub mod shell;
pub mod tabs;
pub mod toast_region;
pub mod transcript;
