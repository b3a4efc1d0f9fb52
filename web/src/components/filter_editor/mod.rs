//! Filter editor: a form and the JSON text are two views of one filter. The engine checks both at each keystroke. An explanation of the
//! filter in plain language is shown next to them and updates when typing pauses.
//!
//! The text is the source of truth. The form is read from it and writes to it; conditions that the form can't show are kept unchanged.

mod condition_row;
mod field_list;
mod field_picker;
mod form_view;
mod group_box;
mod moment_values;
mod relative_input;
mod rows;
mod tree;
mod typed_values;
mod values;

use std::time::Duration;

use leadscribe_engine::api::{Assignee, Campaign, CampaignId, FieldValue, LeadStatus, Page};
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::filter::predicate::Limit;
use leadscribe_engine::filter::{self, CheckedFilter, Limits};
use leadscribe_engine::time;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::api::sentence;
use crate::components::icon::{Glyph, Icon};
use crate::components::json_editor::{DiagnosticList, JsonEditor};
use crate::components::segments::{Segments, segment};
use crate::language::language;
use crate::pause::Pause;
use crate::relative::{Anchor, Choice};
use crate::remote::Remote;
use crate::storage;
use crate::texts::filter as texts;
use crate::texts::statuses::labelled;
use crate::when;
use form_view::FormView;

pub use rows::{with_dates, without_dates};

/// Id of the JSON editor.
const JSON: &str = "filter-json";

/// Length in bytes above which a filter is collapsed until it is edited, so that its conditions don't push the results off the screen.
/// Users rarely type that much, but links with time zones, such as the reasons on the start page, have thousands of bytes.
const LONG: usize = 700;

/// Debounce delay between typing in the JSON and updating the form, the faults and the explanation. A response within 0.1 s is perceived as
/// instantaneous (Nielsen, Usability Engineering, 1993, chapter 5), and no keystroke has to wait for it.
const PAUSE: Duration = Duration::from_millis(100);

/// Result of checking the text with the engine.
pub type Verdict = Result<CheckedFilter, Vec<Diagnostic>>;

/// Names used to edit filters and to show leads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    pub campaigns: Vec<Campaign>,
    pub statuses: Vec<LeadStatus>,
    /// Assignees, where they are shown.
    pub staff: Vec<Assignee>,
}

impl Names {
    /// Name of a campaign.
    pub fn campaign(&self, id: CampaignId) -> Option<&str> {
        self.campaigns.iter().find(|campaign| campaign.id == id).map(|campaign| campaign.name.as_str())
    }

    /// Label of a status.
    pub fn status(&self, name: &str) -> Option<&str> {
        self.statuses.iter().find(|status| status.name == name).map(|status| status.label.as_str())
    }

    /// Names from the server's responses; empty for responses that haven't arrived.
    pub fn of(campaigns: Remote<Page<Campaign>>, statuses: Remote<Page<LeadStatus>>) -> Signal<Self> {
        Signal::derive(move || Self {
            campaigns: campaigns.with(|page| page.map(|page| page.items.clone()).unwrap_or_default()),
            statuses: statuses.with(|page| page.map(|page| labelled(&page.items)).unwrap_or_default()),
            staff: Vec::new(),
        })
    }

    /// Adds the names of staff once they are loaded.
    pub fn with_staff(names: Signal<Self>, staff: Remote<Vec<Assignee>>) -> Signal<Self> {
        Memo::new(move |_| Self { staff: staff.get().unwrap_or_default(), ..names.get() }).into()
    }
}

impl filter::Names for Names {
    fn campaign(&self, id: CampaignId) -> Option<String> {
        Self::campaign(self, id).map(str::to_owned)
    }

    fn status(&self, name: &str) -> Option<String> {
        Self::status(self, name).map(str::to_owned)
    }
}

/// Checks a text with the engine. Returns the result, and an explanation in plain language and local time if the text is valid. With a
/// pager, the explanation omits the limit, because the pager shows it.
pub fn judge(text: RwSignal<String>, names: Signal<Names>, has_pager: bool) -> (Memo<Verdict>, Signal<Option<String>>) {
    let verdict: Memo<Verdict> = Memo::new(move |_| {
        let checked = text.with(|text| filter::read(text, &Limits::default()))?;
        Ok(if has_pager { CheckedFilter { limit: Limit::default(), ..checked } } else { checked })
    });
    let reading = Memo::new(move |_| read_out(verdict.into(), names, &when::local_in_words));
    (verdict, reading.into())
}

/// Explanation of a valid filter in plain language.
fn read_out(verdict: Signal<Verdict>, names: Signal<Names>, moments: &filter::Moments<'_>) -> Option<String> {
    let names = names.get();
    verdict
        .with(|verdict| verdict.as_ref().ok().map(|checked| filter::explain_by(checked, &names, moments, language())))
}

/// Relative dates of the edited filter.
#[derive(Clone, Copy)]
pub struct Dates {
    /// The chosen relative dates. Each applies as long as the text contains its exact dates.
    pub chosen: RwSignal<Vec<Choice>>,
    /// Time and time zone that the exact dates are computed for.
    pub anchor: RwSignal<Anchor>,
}

impl Dates {
    /// Starts without relative dates.
    pub fn none(anchor: Anchor) -> Self {
        Self { chosen: RwSignal::new(Vec::new()), anchor: RwSignal::new(anchor) }
    }
}

/// Context: requests the values that leads have in the field of a key, given a prefix, and passes them to the callback. The page that shows
/// the editor provides it; without it there are no suggestions.
#[derive(Clone, Copy)]
pub struct Suggest(pub Callback<(String, String, Callback<Vec<FieldValue>>)>);

/// Context, like [`Suggest`]: requests the most frequent values of the field of a key with their number of leads.
#[derive(Clone, Copy)]
pub struct Count(pub Callback<(String, Callback<Vec<FieldValue>>)>);

/// Context, like [`Suggest`]: names of custom fields that the page has seen, which the user can pick without typing.
#[derive(Clone, Copy)]
pub struct KnownFields(pub Signal<Vec<String>>);

/// Local storage key: `true` or `false` if the user has chosen to show or hide the JSON next to the form. Narrow screens show one view at a
/// time.
const BESIDE: &str = "filter-json-beside";

/// The visible view on a narrow screen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    Form,
    Json,
}

impl View {
    const fn name(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Json => "json",
        }
    }
}

/// The editor.
#[component]
pub fn FilterEditor(
    text: RwSignal<String>,
    #[prop(into)] verdict: Signal<Verdict>,
    /// Explanation of the filter in plain language, if it is valid.
    #[prop(into)]
    reading: Signal<Option<String>>,
    #[prop(into)] names: Signal<Names>,
    dates: Dates,
    /// True to show the JSON view until the user chooses otherwise.
    #[prop(optional)]
    for_developers: bool,
    /// True if the results of this filter are already shown.
    #[prop(into)]
    applied: Signal<bool>,
    on_apply: Callback<()>,
    on_reset: Callback<()>,
) -> impl IntoView {
    let view = RwSignal::new(View::Form);
    let away = RwSignal::new(!storage::read(BESIDE).unwrap_or(for_developers));
    let fold = move |_| {
        away.update(|away| *away = !*away);
        storage::keep(BESIDE, &!away.get_untracked());
    };
    let is_opened = RwSignal::new(false);
    let is_folded = Memo::new(move |_| !is_opened.get() && applied.get() && text.with(|text| text.len() > LONG));
    let faults: Signal<Vec<Diagnostic>> = Memo::new(move |_| verdict.get().err().unwrap_or_default()).into();
    let is_valid = Memo::new(move |_| verdict.with(Result::is_ok));
    let exact = Memo::new(move |_| read_out(verdict, names, &|moment| time::describe(moment, language())));
    let (typing, pause) = (RwSignal::new(false), Pause::new());
    let rest = move || {
        pause.end();
        _ = typing.try_set(false);
    };
    let type_on = move |_| {
        typing.set(true);
        pause.begin(PAUSE, rest);
    };
    let (shown, shown_faults) = (held(typing, text.into()), held(typing, faults));
    let (shown_reading, shown_exact) = (held(typing, reading), held(typing, exact.into()));
    // Enter in a value runs the filter, as in any form. In the JSON it starts a new line; Ctrl+Enter always runs the filter.
    let on_key = move |event: web_sys::KeyboardEvent| {
        let is_free = !event.default_prevented() && !event.is_composing();
        let in_value = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let in_value = in_value.is_some_and(|target| target.matches("input.input") == Ok(true));
        if event.key() == "Enter" && is_free && (in_value || event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            if is_valid.get_untracked() {
                on_apply.run(());
            }
        }
    };
    let views = vec![
        segment(View::Form, texts::form(), format!("view-{}", View::Form.name())),
        segment(View::Json, texts::json(), format!("view-{}", View::Json.name())),
    ];
    view! {
        <section
            class="filter card"
            class:is-folded=is_folded
            aria-label=texts::filter()
            data-view=move || view.get().name()
            data-away=move || away.get().to_string()
            on:keydown=on_key
        >
            <div class="filter-views">
                <Segments label=texts::view_of_filter() segments=views chosen=view on_choose=move |one| view.set(one) />
            </div>
            // Editing keeps the JSON visible.
            <div class="filter-views-body" on:focusin=move |_| is_opened.set(true)>
                <div class="filter-form">
                    <div class="filter-headings">
                        <h2 class="filter-heading">{texts::conditions()}</h2>
                        <button
                            type="button"
                            class="button button-small button-plain filter-fold"
                            data-test="fold-json"
                            on:click=fold
                        >
                            <Icon glyph=Glyph::Braces />
                            {move || if away.get() { texts::show_json() } else { texts::hide_json() }}
                        </button>
                    </div>
                    <FormView text shown faults=shown_faults names dates />
                </div>
                <div class="filter-json" on:beforeinput=type_on on:focusout=move |_| rest()>
                    <h2 class="filter-heading">{texts::same_as_json()}</h2>
                    <JsonEditor id=JSON label=texts::filter_as_json() text faults />
                </div>
            </div>
            <DiagnosticList id=JSON text faults=shown_faults />
            <footer class="filter-foot">
                <Reading reading=shown_reading exact=shown_exact faults=shown_faults />
                <div class="row">
                    <Show when=move || is_valid.get() && !applied.get()>
                        <span class="small secondary" data-test="unrun">
                            {texts::not_applied()}
                        </span>
                    </Show>
                    <Show when=move || is_folded.get()>
                        <button
                            type="button"
                            class="button"
                            data-test="open-filter"
                            on:click=move |_| is_opened.set(true)
                        >
                            {texts::show_conditions()}
                        </button>
                    </Show>
                    <button
                        type="button"
                        class="button button-plain"
                        data-test="reset"
                        on:click=move |_| on_reset.run(())
                    >
                        {texts::clear()}
                    </button>
                    <button
                        type="button"
                        class="button button-primary"
                        title=texts::find_keys()
                        data-test="apply"
                        data-applied=move || applied.get().to_string()
                        disabled=move || !is_valid.get()
                        on:click=move |_| on_apply.run(())
                    >
                        <Icon glyph=Glyph::Search />
                        {move || if applied.get() { texts::find_again() } else { texts::find_leads() }}
                    </button>
                </div>
            </footer>
        </section>
    }
}

/// Holds the previous value while the user is typing.
fn held<T: Clone + PartialEq + Send + Sync + 'static>(typing: RwSignal<bool>, value: Signal<T>) -> Signal<T> {
    Memo::new(move |before: Option<&T>| match before {
        Some(before) if typing.get() => before.clone(),
        _ => value.get(),
    })
    .into()
}

/// Explanation of the filter in plain language, or the number of faults.
#[component]
fn Reading(
    reading: Signal<Option<String>>,
    /// The same explanation in UTC.
    exact: Signal<Option<String>>,
    faults: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let text = move || match reading.get() {
        Some(reading) => sentence(&reading),
        None => texts::faults_to_mend(faults.with(Vec::len) as u64),
    };
    view! {
        <p
            class="reading"
            class:is-faulty=move || reading.with(Option::is_none)
            role="status"
            title=move || exact.get().map(|exact| sentence(&exact))
            data-test="reading"
        >
            {text}
        </p>
    }
}
