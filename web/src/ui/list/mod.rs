//! Parts that all lists share: headers, pages, order, selection, and scroll restoration.

pub mod column_chooser;
pub mod column_headers;
pub mod export_menu;
pub mod horizontal_scrollbar;
pub mod invalid_query;
pub mod list_order;
pub mod list_section;
pub mod list_table;
pub mod page_checkbox;
pub mod page_size;
pub mod pager;
pub mod paginated_list;
pub mod row_navigation;
pub mod scroll_restoration;
pub mod selection;
pub mod selection_bar;
pub mod settings_list;
pub mod sort_select;
pub mod table;
pub mod total;
pub mod view_menu;
