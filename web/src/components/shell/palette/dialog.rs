//! Dialog of the command palette: an input, and a list of pages and actions.
//!
//! Follows the ARIA combobox pattern: the focus stays in the input, and arrow keys move the selection.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, MouseEvent};

use super::use_palette;
use crate::components::dialog::is_closed;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::listbox::{Beyond, Listbox};
use crate::language::Language;
use crate::spelling::Sought;
use crate::texts::palette as texts;
use crate::theme::Theme;

/// Action of an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// Navigates to a location of the panel.
    Go(String),
    SetTheme(Theme),
    Speak(Language),
    ShowKeys,
    LogOut,
    /// Presses a button of the page, identified by its index among the found buttons.
    Press(usize),
}

/// An entry of the palette.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Heading of the entry. Entries of a group are adjacent.
    pub group: &'static str,
    pub glyph: Glyph,
    pub label: String,
    /// Additional text.
    pub note: String,
    /// Keyboard shortcut, or empty.
    pub keys: String,
    /// Further searchable text, one item per line: synonyms, and the texts in the other languages.
    pub also: String,
    /// True if the entry searches for the typed text, for the case that no entry matches.
    pub is_search: bool,
    pub deed: Deed,
}

impl Entry {
    pub fn new(
        group: &'static str,
        glyph: Glyph,
        label: impl Into<String>,
        note: impl Into<String>,
        deed: Deed,
    ) -> Self {
        let (label, note) = (label.into(), note.into());
        Self { group, glyph, label, note, keys: String::new(), also: String::new(), is_search: false, deed }
    }

    /// True if the entry matches the search.
    pub fn matches(&self, sought: &Sought) -> bool {
        sought.is_in(&self.told()) || self.also.lines().any(|also| sought.is_in(also))
    }

    /// All text of the entry.
    pub fn told(&self) -> String {
        format!("{} {} {}", self.label, self.note, self.group)
    }
}

const LIST: &str = "palette-list";

/// The palette.
#[component]
pub fn PaletteDialog(
    /// Entries that match the input; entries of a group are adjacent.
    entries: Memo<Vec<Entry>>,
    /// True while more entries may arrive.
    searching: Signal<bool>,
    on_choose: Callback<Deed>,
) -> impl IntoView {
    let palette = use_palette();
    let node = NodeRef::<html::Dialog>::new();
    let count = Memo::new(move |_| entries.with(Vec::len));
    let list = Listbox::new(LIST, count.into(), Beyond::OtherEnd);
    // `is_moved`: the user has moved the selection. `is_due`: the first entry was confirmed before the search was complete.
    let (is_moved, is_due) = (StoredValue::new(false), RwSignal::new(false));
    Effect::new(move |_| {
        let Some(dialog) = node.get() else { return };
        if palette.open.get() && !dialog.open() {
            // Fails only if the dialog is already open or not in the document.
            let _ = dialog.show_modal();
        } else if !palette.open.get() && dialog.open() {
            dialog.close();
        }
    });
    Effect::new(move |_| {
        palette.typed.track();
        palette.open.track();
        is_moved.set_value(false);
        is_due.set(false);
        list.choose(Some(0));
    });
    // A moved selection stays on its entry when entries are added above it.
    Effect::new(move |before: Option<Vec<Entry>>| {
        let now = entries.get();
        let chosen = untrack(|| list.chosen()).filter(|_| is_moved.get_value());
        let kept = before.as_ref().zip(chosen).and_then(|(before, place)| place_of(before.get(place)?, &now));
        if kept.is_some() {
            list.choose(kept);
        }
        now
    });
    let choose = move |place: usize| {
        if let Some(entry) = entries.with_untracked(|entries| entries.get(place).cloned()) {
            palette.open.set(false);
            on_choose.run(entry.deed);
        }
    };
    let take = move || {
        let Some(place) = untrack(|| list.chosen()) else { return };
        let is_search = entries.with_untracked(|entries| entries.get(place).is_some_and(|entry| entry.is_search));
        match is_search && searching.get_untracked() && !is_moved.get_value() {
            // The search may still find an entry with this name.
            true => is_due.set(true),
            false => choose(place),
        }
    };
    Effect::new(move |_| {
        if is_due.get() && !searching.get() {
            is_due.set(false);
            choose(0);
        }
    });
    let on_key = move |event: KeyboardEvent| {
        if event.key() == "Enter" && !event.is_composing() {
            event.prevent_default();
            take();
        } else if event.key() == "Escape" {
            // The browser would close the dialog immediately but report it later; keys pressed in between would be lost.
            event.prevent_default();
            palette.open.set(false);
        } else if list.step(&event.key()) {
            event.prevent_default();
            is_moved.set_value(true);
            is_due.set(false);
        }
    };
    let beside = move |event: MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        // The dialog element itself is the target only for clicks on the backdrop.
        if target.is_some_and(|target| target.tag_name() == "DIALOG") {
            palette.open.set(false);
        }
    };
    let options = move || {
        let entries = entries.get();
        let mut shown = Vec::with_capacity(entries.len());
        let mut group = "";
        for (place, entry) in entries.into_iter().enumerate() {
            let head = (entry.group != group).then_some(entry.group);
            group = entry.group;
            shown.push(option(place, entry, head, list, Callback::new(choose)));
        }
        shown.into_any()
    };
    let told = move || match count.get() {
        0 if searching.get() => texts::searching().to_owned(),
        0 => texts::nothing().to_owned(),
        count => texts::entries(count as u64),
    };
    view! {
        <dialog
            node_ref=node
            class="dialog palette"
            aria-label=texts::name()
            data-test="palette"
            on:close=move |_| {
                if is_closed(node) {
                    palette.open.set(false);
                }
            }
            on:click=beside
        >
            <Show when=move || palette.open.get()>
                <div class="palette-head">
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
                        aria-label=texts::name()
                        aria-autocomplete="list"
                        aria-expanded="true"
                        aria-controls=LIST
                        aria-activedescendant=move || list.active()
                        aria-busy=move || searching.get().to_string()
                        data-test="palette-input"
                        prop:value=palette.typed
                        on:input:target=move |event| palette.typed.set(event.target().value())
                        on:keydown=on_key
                    />
                    <button
                        type="button"
                        class="button button-plain button-small palette-close"
                        on:click=move |_| palette.open.set(false)
                    >
                        <kbd>"Esc"</kbd>
                        <span class="visually-hidden">{texts::closes()}</span>
                    </button>
                </div>
                <div id=LIST class="palette-list" role="listbox" aria-label=texts::list()>
                    {options}
                </div>
                <p
                    class=move || if count.get() == 0 { "palette-none" } else { "visually-hidden" }
                    role="status"
                    data-test="palette-told"
                >
                    {told}
                </p>
                <footer class="palette-foot" aria-hidden="true">
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
    .into_any()
}

/// Index of an entry among others.
fn place_of(entry: &Entry, entries: &[Entry]) -> Option<usize> {
    entries.iter().position(|other| other.deed == entry.deed)
}

fn option(place: usize, entry: Entry, head: Option<&'static str>, list: Listbox, choose: Callback<usize>) -> AnyView {
    let Entry { glyph, label, note, keys, .. } = entry;
    view! {
        {head.map(|head| view! { <div class="palette-group" role="presentation">{head}</div> })}
        <div
            id=list.option_id(place)
            class="palette-option"
            role="option"
            aria-selected=move || list.is_chosen(place)
            data-test="palette-option"
            on:mousedown=|event| event.prevent_default()
            on:click=move |_| choose.run(place)
        >
            <Icon glyph />
            <span class="palette-label">{label}</span>
            <span class="palette-note">{note}</span>
            {(!keys.is_empty()).then(|| view! { <kbd>{keys}</kbd> })}
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_entries_with_all_words() {
        let entry = Entry::new("Pages", Glyph::Key, "API keys", "Settings", Deed::ShowKeys);
        let entry = Entry { also: "API-Schlüssel Einstellungen Seiten".to_owned(), ..entry };
        for typed in ["", "api", "keys set", "pages", "schluessel", "API einstellung"] {
            assert!(entry.matches(&Sought::new(typed)), "{typed:?}");
        }
        for typed in ["api leads", "keys einstellungen"] {
            assert!(!entry.matches(&Sought::new(typed)), "{typed:?}");
        }
    }
}
