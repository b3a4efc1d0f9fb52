//! Parts that all lists share: headers, pages, order, selection, and scroll restoration.

mod column_chooser;
pub mod column_headers;
mod horizontal_scrollbar;
mod list_section;
mod pager;
mod paginated_list;
pub mod row_navigation;
pub mod scroll_restoration;
mod selection;
mod selection_bar;
mod settings_list;
mod table;
mod view_menu;

pub use column_chooser::{ColumnChooserProps, column_chooser_dialog};
pub use column_headers::{ColumnHeader, ListOrder, OrderSelect, SortSelect, column_headers};
pub use horizontal_scrollbar::HorizontalScrollbar;
pub use list_section::{ExportFile, ExportMenu, InvalidQueryNotice, ListError, ListSection, export_files};
pub use pager::{LEADS_LIST, PageSize, PageWindow, Pager, Total, stored_first_page};
pub use paginated_list::PaginatedList;
pub use selection::{CallSelection, LeadSelection, PageCheckbox, RowCheckbox, SelectedLeads, SelectionScope};
pub use selection_bar::SelectionBar;
pub use settings_list::{RowAction, RowActions, SettingsList};
pub use table::{ItemTable, ListTable, SkeletonBars, SkeletonCard, SkeletonRows, SortableHeader, empty_value};
pub use view_menu::{CurrentView, UnsavedViewNotice, ViewAction, ViewMenu, is_owned_by, view_href};
