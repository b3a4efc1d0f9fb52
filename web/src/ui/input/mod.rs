//! Form inputs.

mod assignee_choice;
mod button;
mod chip_picker;
mod combo_box;
mod field;
mod file_drop;
mod filter_inputs;
mod listbox;
pub mod time_field;

pub use assignee_choice::AssigneeChoice;
pub use button::{Button, DropDown, IconButton, SubmitButton};
pub use chip_picker::{ChipPicker, Chips, Choice};
pub use combo_box::{ComboBox, SuggestionRequest};
pub use field::{Field, FieldDiagnostics, FieldError, PasswordField, SelectField, TextField, draft_field};
pub use file_drop::{FileDrop, FolderDrop, relative_path};
pub use filter_inputs::{
    DateTimeInput, FieldAccessor, MoreFilters, NumberInput, SearchInput, Select, continues_search, enum_choices,
    exact_time_title, query_field,
};
pub use listbox::{EdgeBehavior, Listbox};
pub use time_field::TimeField;
