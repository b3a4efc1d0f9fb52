//! Form inputs.

pub mod assignee_choice;
pub mod async_button;
pub mod chip_picker;
pub mod combo_box;
pub mod drop_down;
pub mod field;
pub mod file_drop;
pub mod filter_inputs;
pub mod icon_button;
pub mod listbox;
pub mod name_form;
pub mod password_field;
pub mod role_choice;
pub mod search_input;
pub mod submit_button;
pub mod time_field;
