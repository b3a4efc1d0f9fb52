//! Requests of the command palette: leads by text, and items by number. Actions of the open page: the palette lists the
//! page's own buttons by their labels and clicks them.

use std::collections::BTreeSet;

use leadscribe_engine::api::{Call, CallId, DeliveryId, Lead, LeadId};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::api::{Api, ApiResult};
use crate::features::shell::palette::{PaletteAction, PaletteEntry};
use crate::i18n::texts::shell as texts;
use crate::state::lead_search::{
    combine_filters, exact_search_filter, is_valid_filter, parse_id, respelled_search_filter, strip_keyword,
};
use crate::ui::Glyph;
use crate::ui::lead::table::lead_name;

/// Maximum number of leads to show.
const MAX_LEADS: usize = 6;

/// Results for the typed text.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResults {
    pub leads: Vec<Lead>,
    /// Total number of leads, without the one with the typed number.
    pub total: u64,
    /// Items with the typed number: name of the lead, phone numbers of the call, and whether there is a delivery.
    pub items_by_id: ItemsById,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemsById {
    pub lead: Option<String>,
    pub call: Option<String>,
    pub has_delivery: bool,
}

/// Searches for the typed text.
pub async fn run_search(api: Api, input: String) -> ApiResult<SearchResults> {
    let input = strip_keyword(&input);
    let (mut leads, mut total) = (Vec::new(), 0);
    // Exact spellings come first. Searches with alternative spellings find them too.
    let searches = [Some(exact_search_filter(input)), respelled_search_filter(input)].into_iter().flatten();
    for filter in searches.map(|search| first_leads_filter(&search)).filter(|filter| is_valid_filter(filter)) {
        let response = api.leads(filter).await?;
        total = response.total_leads;
        let found_leads = response.leads.into_iter().map(|extended| extended.lead);
        leads.extend(
            found_leads
                .filter(|lead: &Lead| leads.iter().all(|known_lead: &Lead| known_lead.id != lead.id))
                .collect::<Vec<_>>(),
        );
    }
    let typed_id = parse_id(input);
    let items_by_id = match typed_id {
        Some(id) => ItemsById {
            lead: api.lead(LeadId(id)).await.ok().map(|extended| lead_name(&extended.lead)),
            call: api.call(CallId(id)).await.ok().map(|call| phone_numbers(&call)),
            has_delivery: api.delivery(DeliveryId(id)).await.is_ok(),
        },
        None => ItemsById::default(),
    };
    // The lead with the typed number has a separate entry. It is counted in the total even if it isn't among the first
    // leads.
    if items_by_id.lead.is_some() {
        leads.retain(|lead| typed_id != Some(lead.id.0));
        total = total.saturating_sub(1);
    }
    leads.truncate(MAX_LEADS);
    Ok(SearchResults { leads, total, items_by_id })
}

fn phone_numbers(call: &Call) -> String {
    let both = [&call.caller_number, &call.callee_number].into_iter().flatten();
    both.map(String::as_str).collect::<Vec<_>>().join(" → ")
}

/// Filter for the first leads, plus one for the lead with the separate entry.
fn first_leads_filter(search: &str) -> String {
    combine_filters(&format!(r#"{{"limit":"{};0"}}"#, MAX_LEADS + 1), search)
}

const BUTTON_SELECTOR: &str = "#main .button";

/// Buttons that are about one item of many, or belong to an editor, are excluded.
const EXCLUDED_SELECTOR: &str = "dialog, tr, [data-row], .condition, .filter-form, .pager, .empty-state";

/// A modal dialog other than the palette. While it is open, the buttons behind it aren't available.
const OPEN_MODAL_SELECTOR: &str = "dialog[open]:not(.palette)";

/// Labeled sections that contain buttons.
const SECTION_SELECTOR: &str = "#main [aria-label]";

/// Buttons of the page when the palette was opened.
#[derive(Clone, Copy, Default)]
pub struct PageActions(StoredValue<Vec<HtmlElement>, LocalStorage>);

impl PageActions {
    /// Collects the buttons and returns their entries.
    pub fn collect(self) -> Vec<PaletteEntry> {
        let mut seen_labels = BTreeSet::new();
        let labeled = available_buttons().into_iter().filter_map(|button| {
            let name = button_label(&button)?;
            seen_labels.insert(name.clone()).then(|| ((name, section_label(&button)), button))
        });
        let (names, buttons): (Vec<_>, Vec<_>) = labeled.unzip();
        self.0.set_value(buttons);
        let entry = |(index, (name, about))| {
            PaletteEntry::new(texts::on_this_page(), Glyph::Compass, name, about, PaletteAction::PressButton(index))
        };
        names.into_iter().enumerate().map(entry).collect()
    }

    /// Clicks a button after the palette is closed.
    pub fn press(self, index: usize) {
        let button = self.0.with_value(|buttons| buttons.get(index).cloned());
        request_animation_frame(move || {
            if let Some(button) = button {
                // A dialog opened by the button returns the focus to it. A removed button does nothing.
                _ = button.focus();
                button.click();
            }
        });
    }
}

fn available_buttons() -> Vec<HtmlElement> {
    if document().query_selector(OPEN_MODAL_SELECTOR) != Ok(None) {
        return Vec::new();
    }
    let Ok(matching) = document().query_selector_all(BUTTON_SELECTOR) else { return Vec::new() };
    let all_buttons = (0..matching.length()).filter_map(|index| matching.item(index)?.dyn_into::<HtmlElement>().ok());
    all_buttons
        .filter(|button| {
            let is_enabled = button.matches(":not(:disabled)") == Ok(true) && !button.has_attribute("aria-disabled");
            is_enabled && button.closest(EXCLUDED_SELECTOR) == Ok(None) && button.offset_parent().is_some()
        })
        .collect()
}

/// Label of the section that contains the button.
fn section_label(button: &Element) -> String {
    let section = button.parent_element().and_then(|parent| parent.closest(SECTION_SELECTOR).ok().flatten());
    section.and_then(|section| section.get_attribute("aria-label")).unwrap_or_default()
}

/// Label of a button. A drop-down has its label in `data-name`, because its button can show other content.
fn button_label(button: &Element) -> Option<String> {
    let attribute_value = |attribute| button.get_attribute(attribute);
    let label =
        attribute_value("data-name").or_else(|| attribute_value("aria-label")).or_else(|| button.text_content())?;
    let name = label.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some(name)
}
