//! Form inputs.

mod assignee_choice;
mod button;
mod chip_picker;
mod combo_box;
mod drop_down;
mod field;
mod file_drop;
mod filter_inputs;
mod icon_button;
mod listbox;
mod name_form;
mod password_field;
mod role_choice;
mod search_input;
mod submit_button;
pub mod time_field;

pub use assignee_choice::AssigneeChoice;
pub use button::Button;
pub use chip_picker::{ChipPicker, Chips, Choice};
pub use combo_box::{ComboBox, SuggestionRequest};
pub use drop_down::DropDown;
pub use field::{Field, FieldDiagnostics, FieldError, SelectField, TextField, draft_field};
pub use file_drop::{FileDrop, FolderDrop, relative_path};
pub use filter_inputs::{
    DateTimeInput, FieldAccessor, MoreFilters, NumberInput, Select, enum_choices, exact_time_title, query_field,
};
pub use icon_button::IconButton;
pub use listbox::{EdgeBehavior, Listbox};
pub use name_form::NameForm;
pub use password_field::PasswordField;
pub use role_choice::RoleChoice;
pub use search_input::{SearchInput, continues_search};
pub use submit_button::SubmitButton;
pub use time_field::TimeField;
