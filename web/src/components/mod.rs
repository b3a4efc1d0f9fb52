//! What pages are made of. Components show what they are given and report what was done; they never fetch.
//!
//! The shell and the user menu are the exception in one point: they may log out and ask again who is logged in.

pub mod audio_player;
pub mod badge;
pub mod call_filter;
pub mod call_table;
pub mod chip_picker;
pub mod confirm_dialog;
pub mod copy_button;
pub mod dialog;
pub mod empty;
pub mod error_notice;
pub mod fact_list;
pub mod field;
pub mod file_drop;
pub mod filter_editor;
pub mod icon;
pub mod import_columns;
pub mod import_report;
pub mod import_table;
pub mod lead_table;
pub mod managed_list;
pub mod moment;
pub mod name_form;
pub mod outcome_table;
pub mod page_head;
pub mod pager;
pub mod prose;
pub mod reason_chips;
pub mod secret_box;
pub mod secret_dialog;
pub mod send_form;
pub mod shell;
pub mod submit_button;
pub mod table;
pub mod tabs;
pub mod theme_switch;
pub mod toast;
pub mod user_menu;
