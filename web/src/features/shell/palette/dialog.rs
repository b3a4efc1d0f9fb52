//! Dialog of the command palette: an input, and a list of pages and actions.
//!
//! Follows the ARIA combobox pattern: the focus stays in the input, and arrow keys move the selection.

use leptos::html;
use leptos::prelude::*;
use web_sys::{KeyboardEvent, MouseEvent};

use super::use_palette;
use crate::browser::dom::target;
use crate::i18n::Language;
use crate::i18n::text_normalization::TextQuery;
use crate::i18n::texts::shell as texts;
use crate::state::Theme;
use crate::ui::dialog::is_closed;
use crate::ui::input::{EdgeBehavior, Listbox};
use crate::ui::{Glyph, Icon};

/// Action of an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum PaletteAction {
    /// Navigates to a location of the panel.
    Navigate(String),
    SetTheme(Theme),
    SetLanguage(Language),
    ShowShortcuts,
    LogOut,
    /// Presses a button of the page, identified by its index among the found buttons.
    PressButton(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub struct PaletteEntry {
    /// Heading of the entry. Entries of a group are adjacent.
    pub group: &'static str,
    pub glyph: Glyph,
    pub label: String,
    /// Additional text.
    pub note: String,
    /// Keyboard shortcut, or empty.
    pub shortcut: String,
    /// Further searchable text, one item per line: synonyms, and the texts in the other languages.
    pub search_terms: String,
    /// True if the entry searches a list for the typed text.
    pub is_search: bool,
    pub action: PaletteAction,
}

impl PaletteEntry {
    pub fn new(
        group: &'static str,
        glyph: Glyph,
        label: impl Into<String>,
        note: impl Into<String>,
        action: PaletteAction,
    ) -> Self {
        let (label, note, shortcut, search_terms) = (label.into(), note.into(), String::new(), String::new());
        Self { group, glyph, label, note, shortcut, search_terms, is_search: false, action }
    }

    /// Entry that opens a location of the panel.
    pub fn link(
        group: &'static str,
        glyph: Glyph,
        label: impl Into<String>,
        note: impl Into<String>,
        path: String,
    ) -> Self {
        Self::new(group, glyph, label, note, PaletteAction::Navigate(path))
    }

    /// True if the entry matches the search.
    pub fn matches(&self, search: &TextQuery) -> bool {
        search.matches(&self.full_text()) || self.search_terms.lines().any(|term| search.matches(term))
    }

    pub fn full_text(&self) -> String {
        format!("{} {} {}", self.label, self.note, self.group)
    }
}

const LIST_ID: &str = "palette-list";

#[component]
pub fn PaletteDialog(
    /// Entries that match the input; entries of a group are adjacent.
    entries: Memo<Vec<PaletteEntry>>,
    /// True while more entries may arrive.
    is_searching: Signal<bool>,
    on_choose: Callback<PaletteAction>,
) -> impl IntoView {
    let palette = use_palette();
    let node = NodeRef::<html::Dialog>::new();
    let count = Memo::new(move |_| entries.with(Vec::len));
    let listbox = Listbox::new(LIST_ID, count.into(), EdgeBehavior::Wrap);
    // `is_moved`: the user has moved the selection. `is_confirm_pending`: the first entry was confirmed before the
    // search was complete.
    let (is_moved, is_confirm_pending) = (StoredValue::new(false), RwSignal::new(false));
    Effect::new(move |_| {
        let Some(dialog) = node.get() else { return };
        if palette.is_open.get() && !dialog.open() {
            // Fails only if the dialog is already open or not in the document.
            let _ = dialog.show_modal();
        } else if !palette.is_open.get() && dialog.open() {
            dialog.close();
        }
    });
    Effect::new(move |_| {
        palette.query.track();
        palette.is_open.track();
        is_moved.set_value(false);
        is_confirm_pending.set(false);
        listbox.select(Some(0));
    });
    // A moved selection stays on its entry when entries are added above it.
    Effect::new(move |previous: Option<Vec<PaletteEntry>>| {
        let current = entries.get();
        let selected = untrack(|| listbox.selected_index()).filter(|_| is_moved.get_value());
        let moved_index =
            previous.as_ref().zip(selected).and_then(|(previous, index)| index_of(previous.get(index)?, &current));
        if moved_index.is_some() {
            listbox.select(moved_index);
        }
        current
    });
    let choose = move |index: usize| {
        if let Some(entry) = entries.with_untracked(|entries| entries.get(index).cloned()) {
            palette.is_open.set(false);
            on_choose.run(entry.action);
        }
    };
    let confirm = move || {
        let Some(index) = untrack(|| listbox.selected_index()) else { return };
        let is_search = entries.with_untracked(|entries| entries.get(index).is_some_and(|entry| entry.is_search));
        match is_search && is_searching.get_untracked() && !is_moved.get_value() {
            // The search may still find an entry with this name.
            true => is_confirm_pending.set(true),
            false => choose(index),
        }
    };
    Effect::new(move |_| {
        if is_confirm_pending.get() && !is_searching.get() {
            is_confirm_pending.set(false);
            choose(0);
        }
    });
    let on_key = move |event: KeyboardEvent| {
        if event.key() == "Enter" && !event.is_composing() {
            event.prevent_default();
            confirm();
        } else if event.key() == "Escape" {
            // The browser would close the dialog immediately but report it later; keys pressed in between would be
            // lost.
            event.prevent_default();
            palette.is_open.set(false);
        } else if listbox.handle_key(&event.key()) {
            event.prevent_default();
            is_moved.set_value(true);
            is_confirm_pending.set(false);
        }
    };
    let on_backdrop_click = move |event: MouseEvent| {
        // The dialog element itself is the target only for clicks on the backdrop.
        if target(&event).is_some_and(|target| target.tag_name() == "DIALOG") {
            palette.is_open.set(false);
        }
    };
    let options = move || {
        let entries = entries.get();
        let mut option_views = Vec::with_capacity(entries.len());
        let mut group = "";
        for (index, entry) in entries.into_iter().enumerate() {
            let heading = (entry.group != group).then_some(entry.group);
            group = entry.group;
            option_views.push(option_view(index, entry, heading, listbox, Callback::new(choose)));
        }
        option_views.into_any()
    };
    let status_text = move || match count.get() {
        0 if is_searching.get() => texts::searching().to_owned(),
        0 => texts::no_results().to_owned(),
        count => texts::entries(count as u64),
    };
    view! {
        <dialog
            node_ref=node
            class="dialog palette"
            aria-label=texts::search_or_jump()
            data-test="palette"
            on:close=move |_| {
                if is_closed(node) {
                    palette.is_open.set(false);
                }
            }
            on:click=on_backdrop_click
        >
            <Show when=move || palette.is_open.get()>
                <div class="line palette-header">
                    <Icon glyph=Glyph::Search />
                    <input
                        class="palette-input"
                        type="text"
                        role="combobox"
                        autofocus
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        enterkeyhint="go"
                        placeholder=texts::placeholder()
                        aria-label=texts::search_or_jump()
                        aria-autocomplete="list"
                        aria-expanded="true"
                        aria-controls=LIST_ID
                        aria-activedescendant=move || listbox.active_descendant()
                        aria-busy=move || is_searching.get().to_string()
                        data-test="palette-input"
                        prop:value=palette.query
                        on:input:target=move |event| palette.query.set(event.target().value())
                        on:keydown=on_key
                    />
                    <button
                        type="button"
                        class="button button-plain button-small palette-close"
                        on:click=move |_| palette.is_open.set(false)
                    >
                        <kbd>"Esc"</kbd>
                        <span class="visually-hidden">{texts::closes()}</span>
                    </button>
                </div>
                <div id=LIST_ID class="palette-list" role="listbox" aria-label=texts::list()>
                    {options}
                </div>
                <p
                    class=move || if count.get() == 0 { "palette-none secondary" } else { "visually-hidden" }
                    role="status"
                    data-test="palette-status"
                >
                    {status_text}
                </p>
                <footer class="palette-footer" aria-hidden="true">
                    <span>
                        <kbd>"↑"</kbd>
                        <kbd>"↓"</kbd>
                        {texts::choose()}
                    </span>
                    <span>
                        <kbd>"↵"</kbd>
                        {texts::open()}
                    </span>
                </footer>
            </Show>
        </dialog>
    }
}

/// Index of the entry with the same action.
fn index_of(entry: &PaletteEntry, entries: &[PaletteEntry]) -> Option<usize> {
    entries.iter().position(|other| other.action == entry.action)
}

fn option_view(
    index: usize,
    entry: PaletteEntry,
    heading: Option<&'static str>,
    listbox: Listbox,
    on_choose: Callback<usize>,
) -> AnyView {
    let PaletteEntry { glyph, label, note, shortcut, .. } = entry;
    view! {
        {heading.map(|heading| view! { <div class="palette-group" role="presentation">{heading}</div> })}
        <div
            id=listbox.option_id(index)
            class="line palette-option"
            role="option"
            aria-selected=move || listbox.aria_selected(index)
            data-test="palette-option"
            on:mousedown=|event| event.prevent_default()
            on:click=move |_| on_choose.run(index)
        >
            <Icon glyph />
            <span class="palette-label">{label}</span>
            <span class="palette-note small secondary">{note}</span>
            {(!shortcut.is_empty()).then(|| view! { <kbd>{shortcut}</kbd> })}
        </div>
    }
    .into_any()
}
