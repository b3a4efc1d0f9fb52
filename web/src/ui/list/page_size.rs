//! Page size of a list. This browser stores the size that a user chose last, for each list.

use leptos::prelude::*;

use crate::api::Session;
use crate::browser::storage;
use crate::ui::list::PageWindow;

/// Page sizes to choose from. All lists of the API accept them.
pub const PAGE_SIZES: [u64; 4] = [25, 50, 100, 200];

/// Page size until the user chooses one.
const DEFAULT_PAGE_SIZE: u64 = 50;

/// Name of the lead list in the storage.
pub const LEADS: &str = "leads";

/// Page size of a list whose URL has none. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct PageSize {
    storage_key: StoredValue<String>,
    size: RwSignal<u64>,
}

impl PageSize {
    /// Loads the current user's page size of the list with this name.
    pub fn load(list: &str) -> Self {
        let storage_key = storage_key(list);
        let size = RwSignal::new(stored_size(&storage_key));
        Self { storage_key: StoredValue::new(storage_key), size }
    }

    pub fn first_page(self) -> PageWindow {
        PageWindow { size: self.size.get(), offset: 0 }
    }

    /// Stores the page size that the user selected, if it differs from the current one.
    pub fn store_if_changed(self, current: PageWindow, selected: PageWindow) {
        if selected.size != current.size {
            self.storage_key.with_value(|key| storage::store(key, &selected.size));
            self.size.set(selected.size);
        }
    }
}

/// First page of the list with this name, in the current user's page size.
pub fn first_page(list: &str) -> PageWindow {
    PageWindow { size: stored_size(&storage_key(list)), offset: 0 }
}

fn stored_size(storage_key: &str) -> u64 {
    storage::load(storage_key).filter(|size| PAGE_SIZES.contains(size)).unwrap_or(DEFAULT_PAGE_SIZE)
}

fn storage_key(list: &str) -> String {
    let user = use_context::<Session>().and_then(Session::current).map(|session| session.user.id.to_string());
    format!("leadscribe.page-size.{list}.{}", user.unwrap_or_default())
}
