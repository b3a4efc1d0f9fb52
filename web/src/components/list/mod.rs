//! Parts that all lists share: headers, pages, order, selection, and scroll restoration.

pub mod column_chooser;
pub mod export_menu;
pub mod faulty_link;
pub mod heads;
pub mod list_table;
pub mod managed;
pub mod page_box;
pub mod pager;
pub mod row_keys;
pub mod selection_bar;
pub mod side_scroll;
pub mod sort_pick;
pub mod table;
pub mod total;
pub mod view_menu;
pub mod way_back;
