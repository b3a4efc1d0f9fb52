//! Choice of the status that leads get in a campaign.

use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::record::DEFAULT_STATUS;
use leptos::prelude::*;

use crate::i18n::texts::common;
use crate::ui::filter_editor::Names;
use crate::ui::input::SelectField;

/// True if the initial status must be chosen explicitly, because the default status was deleted.
pub fn requires_initial_status(names: &Names) -> bool {
    !names.statuses.is_empty() && names.statuses.iter().all(|status| status.name != DEFAULT_STATUS)
}

/// Select for the status; initially empty.
#[component]
pub fn StatusChoice(
    id: &'static str,
    names: Signal<Names>,
    set: Callback<String>,
    diagnostics: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let choices = Signal::derive(move || names.with(Names::status_choices));
    view! { <SelectField id label=common::status() empty_label=common::choose() is_required=true choices set diagnostics /> }
}
