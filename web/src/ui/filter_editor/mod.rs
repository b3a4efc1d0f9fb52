//! Filter editor: a form and the JSON text are two views of one filter. The engine checks both on every keystroke. An
//! explanation of the filter in plain language is shown next to them and updates when typing pauses.
//!
//! The text is the source of truth. The form is read from it and writes to it; conditions that the form can't show are
//! kept unchanged.

mod condition_row;
mod field_list;
mod field_picker;
pub mod filter_text;
mod form_view;
mod line_tree;
mod lines;
mod value_list;
mod values;

use std::time::Duration;

use leadscribe_engine::api::{Assignee, Campaign, CampaignId, LeadStatus, Page};
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::filter::predicate::Limit;
use leadscribe_engine::filter::{self, CheckedFilter, Limits};
use leadscribe_engine::time;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::api::{Api, to_sentence};
use crate::browser::scheduler::Debounce;
use crate::browser::storage;
use crate::i18n::relative_date::{Anchor, RelativeCondition};
use crate::i18n::texts::filter as texts;
use crate::i18n::texts::statuses::with_translated_labels;
use crate::i18n::{datetime, language};
use crate::state::ApiResource;
use crate::ui::input::{Button, Choice};
use crate::ui::json_editor::{DiagnosticList, JsonEditor};
use crate::ui::{Glyph, Icon, SegmentedControl, segment};
use form_view::FormView;

pub use lines::{extract_relative_dates, resolve_relative_dates};

const JSON_EDITOR_ID: &str = "filter-json";

/// Length in bytes above which an applied filter is collapsed until the user opens it, so that its conditions don't
/// push the results off the screen. Users rarely type that much, but links with time zones, such as the reasons on the
/// Today page, have thousands of bytes.
const COLLAPSE_THRESHOLD_BYTES: usize = 700;

/// Debounce delay between typing in the JSON and updating the form, the diagnostics and the explanation. A response
/// within 0.1 s is perceived as instantaneous (Nielsen, Usability Engineering, 1993, chapter 5), and no keystroke has
/// to wait for it.
const DEBOUNCE_DELAY: Duration = Duration::from_millis(100);

/// Result of checking the text with the engine.
pub type CheckResult = Result<CheckedFilter, Vec<Diagnostic>>;

/// Names used to edit filters and to show leads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    pub campaigns: Vec<Campaign>,
    pub statuses: Vec<LeadStatus>,
    /// Assignees, where they are shown.
    pub staff: Vec<Assignee>,
}

impl Names {
    pub fn campaign(&self, id: CampaignId) -> Option<&str> {
        self.campaigns.iter().find(|campaign| campaign.id == id).map(|campaign| campaign.name.as_str())
    }

    /// Label of a status.
    pub fn status(&self, name: &str) -> Option<&str> {
        self.statuses.iter().find(|status| status.name == name).map(|status| status.label.as_str())
    }

    /// Ids and names of the campaigns.
    pub fn campaign_choices(&self) -> Vec<Choice> {
        self.campaigns.iter().map(|campaign| (campaign.id.to_string(), campaign.name.clone())).collect()
    }

    /// Names and labels of the statuses.
    pub fn status_choices(&self) -> Vec<Choice> {
        self.statuses.iter().map(|status| (status.name.clone(), status.label.clone())).collect()
    }

    /// Names from the server's responses; empty for responses that haven't arrived.
    pub fn from_resources(
        campaigns: ApiResource<Page<Campaign>>,
        statuses: ApiResource<Page<LeadStatus>>,
    ) -> Signal<Self> {
        Signal::derive(move || Self {
            campaigns: campaigns.with(|page| page.map(|page| page.items.clone()).unwrap_or_default()),
            statuses: statuses.with(|page| page.map(|page| with_translated_labels(&page.items)).unwrap_or_default()),
            staff: Vec::new(),
        })
    }

    /// Adds the names of staff once they are loaded.
    pub fn with_staff(names: Signal<Self>, staff: ApiResource<Vec<Assignee>>) -> Signal<Self> {
        Memo::new(move |_| Self { staff: staff.get().unwrap_or_default(), ..names.get() }).into()
    }
}

impl filter::DisplayNames for Names {
    fn campaign_name(&self, id: CampaignId) -> Option<String> {
        Self::campaign(self, id).map(str::to_owned)
    }

    fn status_label(&self, name: &str) -> Option<String> {
        Self::status(self, name).map(str::to_owned)
    }
}

/// Checks a text with the engine. Returns the result, and an explanation in plain language and local time if the text
/// is valid. With a pager, the explanation omits the limit, because the pager shows it.
pub fn check_filter(
    text: RwSignal<String>,
    names: Signal<Names>,
    has_pager: bool,
) -> (Memo<CheckResult>, Signal<Option<String>>) {
    let check_result: Memo<CheckResult> = Memo::new(move |_| {
        let checked = text.with(|text| filter::parse_and_check(text, &Limits::default()))?;
        Ok(if has_pager { CheckedFilter { limit: Limit::default(), ..checked } } else { checked })
    });
    let explanation = Memo::new(move |_| explain(check_result.into(), names, &datetime::describe_local));
    (check_result, explanation.into())
}

/// Explanation of a valid filter in plain language.
fn explain(
    check_result: Signal<CheckResult>,
    names: Signal<Names>,
    format_time: &filter::TimeFormat<'_>,
) -> Option<String> {
    let names = names.get();
    check_result.with(|check_result| {
        check_result.as_ref().ok().map(|checked| filter::explain_with(checked, &names, format_time, language()))
    })
}

/// Relative dates of the edited filter.
#[derive(Clone, Copy)]
pub struct RelativeDates {
    /// The relative conditions. Each applies as long as the text contains its exact dates.
    pub conditions: RwSignal<Vec<RelativeCondition>>,
    /// Time and time zone that the exact dates are computed for.
    pub anchor: RwSignal<Anchor>,
}

impl RelativeDates {
    pub fn none(anchor: Anchor) -> Self {
        Self { conditions: RwSignal::new(Vec::new()), anchor: RwSignal::new(anchor) }
    }
}

/// Context: source of suggested values and their lead counts. The page that shows the editor provides it; without it
/// there are no suggestions.
#[derive(Clone, Copy)]
pub struct ValueSource(pub Api);

/// Context: names of custom fields that the page has seen, which the user can pick without typing.
#[derive(Clone, Copy)]
pub struct KnownCustomFields(pub Signal<Vec<String>>);

/// Local storage key: `true` or `false` if the user has chosen to show or hide the JSON next to the form. Narrow
/// screens show one view at a time.
const JSON_VISIBLE_KEY: &str = "leadscribe.filter-json-visible";

#[component]
pub fn FilterEditor(
    text: RwSignal<String>,
    #[prop(into)] check_result: Signal<CheckResult>,
    /// Explanation of the filter in plain language, if it is valid.
    #[prop(into)]
    explanation: Signal<Option<String>>,
    #[prop(into)] names: Signal<Names>,
    dates: RelativeDates,
    /// True to show the JSON view until the user chooses otherwise.
    #[prop(optional)]
    prefers_json: bool,
    /// True if the results of this filter are already shown.
    #[prop(into)]
    is_applied: Signal<bool>,
    on_apply: Callback<()>,
    on_reset: Callback<()>,
) -> impl IntoView {
    // The visible view on a narrow screen.
    let view = RwSignal::new("form");
    let is_json_hidden = RwSignal::new(!storage::load(JSON_VISIBLE_KEY).unwrap_or(prefers_json));
    let toggle_json = move |()| {
        is_json_hidden.update(|is_json_hidden| *is_json_hidden = !*is_json_hidden);
        storage::store(JSON_VISIBLE_KEY, &!is_json_hidden.get_untracked());
    };
    let is_expanded = RwSignal::new(false);
    let is_collapsed = Memo::new(move |_| {
        !is_expanded.get() && is_applied.get() && text.with(|text| text.len() > COLLAPSE_THRESHOLD_BYTES)
    });
    let diagnostics: Signal<Vec<Diagnostic>> = Memo::new(move |_| check_result.get().err().unwrap_or_default()).into();
    let is_valid = Memo::new(move |_| check_result.with(Result::is_ok));
    let exact_explanation: Signal<Option<String>> =
        Memo::new(move |_| explain(check_result, names, &|timestamp| time::describe(timestamp, language()))).into();
    let (is_typing, debounce) = (RwSignal::new(false), Debounce::new());
    let on_pause = move || {
        debounce.cancel();
        _ = is_typing.try_set(false);
    };
    let on_type = move |_| {
        is_typing.set(true);
        debounce.schedule(DEBOUNCE_DELAY, on_pause);
    };
    let (shown_text, shown_diagnostics) =
        (hold_while_typing(is_typing, text.into()), hold_while_typing(is_typing, diagnostics));
    let (shown_explanation, shown_exact_explanation) =
        (hold_while_typing(is_typing, explanation), hold_while_typing(is_typing, exact_explanation));
    // Enter in a value runs the filter, as in any form. In the JSON it starts a new line; Ctrl+Enter always runs the
    // filter.
    let on_key = move |event: web_sys::KeyboardEvent| {
        let is_unhandled = !event.default_prevented() && !event.is_composing();
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let is_value_input = target.is_some_and(|target| target.matches("input.input") == Ok(true));
        if event.key() == "Enter" && is_unhandled && (is_value_input || event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            if is_valid.get_untracked() {
                on_apply.run(());
            }
        }
    };
    let explanation_text = move || match shown_explanation.get() {
        Some(explanation) => to_sentence(&explanation),
        None => texts::errors_to_fix(shown_diagnostics.with(Vec::len) as u64),
    };
    let views = vec![segment("form", texts::form(), "view-form"), segment("json", texts::json(), "view-json")];
    view! {
        <section
            class="filter card"
            class:is-collapsed=is_collapsed
            aria-label=texts::filter()
            data-view=view
            data-json-hidden=move || is_json_hidden.get().to_string()
            on:keydown=on_key
        >
            <div class="filter-views">
                <SegmentedControl label=texts::filter_view() segments=views selected=view on_choose=move |selected| view.set(selected) />
            </div>
            // Focus in the editor keeps the filter expanded.
            <div class="filter-views-body" on:focusin=move |_| is_expanded.set(true)>
                <div class="filter-form">
                    <div class="filter-headings">
                        <h2 class="filter-heading">{texts::conditions()}</h2>
                        <Button
                            class="button-small button-plain filter-fold"
                            glyph=Glyph::Braces
                            label=move || if is_json_hidden.get() { texts::show_json() } else { texts::hide_json() }
                            test_id="toggle-json"
                            on_press=toggle_json
                        />
                    </div>
                    <FormView text synced_text=shown_text diagnostics=shown_diagnostics names dates />
                </div>
                <div class="filter-json" on:beforeinput=on_type on:focusout=move |_| on_pause()>
                    <h2 class="filter-heading">{texts::as_json()}</h2>
                    <JsonEditor id=JSON_EDITOR_ID label=texts::filter_as_json() text diagnostics />
                </div>
            </div>
            <DiagnosticList id=JSON_EDITOR_ID text diagnostics=shown_diagnostics />
            <footer class="filter-footer">
                <p
                    class="filter-explanation"
                    class:is-invalid=move || shown_explanation.with(Option::is_none)
                    role="status"
                    // The same explanation in UTC.
                    title=move || shown_exact_explanation.get().map(|explanation| to_sentence(&explanation))
                    data-test="filter-explanation"
                >
                    {explanation_text}
                </p>
                <div class="row">
                    <Show when=move || is_valid.get() && !is_applied.get()>
                        <span class="small secondary" data-test="unsaved-filter">
                            {texts::not_applied()}
                        </span>
                    </Show>
                    <Show when=move || is_collapsed.get()>
                        <Button
                            label=texts::show_conditions()
                            test_id="open-filter"
                            on_press=move |()| is_expanded.set(true)
                        />
                    </Show>
                    <Button class="button-plain" label=texts::clear() test_id="reset" on_press=on_reset />
                    <button
                        type="button"
                        class="button button-primary"
                        title=texts::apply_shortcut()
                        data-test="apply"
                        data-applied=move || is_applied.get().to_string()
                        disabled=move || !is_valid.get()
                        on:click=move |_| on_apply.run(())
                    >
                        <Icon glyph=Glyph::Search />
                        {move || if is_applied.get() { texts::refresh() } else { texts::find_leads() }}
                    </button>
                </div>
            </footer>
        </section>
    }
}

/// Holds the previous value while the user is typing.
fn hold_while_typing<T: Clone + PartialEq + Send + Sync + 'static>(
    is_typing: RwSignal<bool>,
    value: Signal<T>,
) -> Signal<T> {
    Memo::new(move |previous: Option<&T>| match previous {
        Some(previous) if is_typing.get() => previous.clone(),
        _ => value.get(),
    })
    .into()
}
