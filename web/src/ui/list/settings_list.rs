//! Settings list: a short list with a description, an add button, and actions per row.

use leadscribe_engine::api::Timestamp;
use leptos::prelude::*;

use super::column_headers::ColumnHeader;
use super::table::ItemTable;
use crate::i18n::texts::settings;
use crate::state::ApiResource;
use crate::ui::input::Button;
use crate::ui::{EmptyState, ErrorNotice, Glyph, Icon, LocalTime};

#[component]
pub fn SettingsList<T: Clone + PartialEq + Send + Sync + 'static>(
    /// Purpose of the entries.
    description: &'static str,
    caption: &'static str,
    /// Headers of the columns; the last one has the actions.
    columns: &'static [ColumnHeader],
    resource: ApiResource<Vec<T>>,
    on_retry: Callback<()>,
    #[prop(into)] can_add: Signal<bool>,
    #[prop(default = Glyph::Plus)] add_glyph: Glyph,
    /// Label of the add button or main action, and its test id.
    add: (&'static str, &'static str),
    on_add: Callback<()>,
    /// Title and text of the empty state.
    empty: (&'static str, &'static str),
    /// Renders the row of an entry.
    row: Callback<T, AnyView>,
) -> impl IntoView {
    let items = Signal::derive(move || resource.get());
    let is_empty = Memo::new(move |_| resource.with(|items| items.is_some_and(Vec::is_empty)));
    view! {
        <div class="space-between">
            <p class="secondary">{description}</p>
            <Show when=move || can_add.get()>
                <Button class="button-primary" glyph=add_glyph label=add.0 test_id=add.1 on_press=on_add />
            </Show>
        </div>
        {move || resource.error.get().map(|error| view! { <ErrorNotice error on_retry /> })}
        <Show when=move || !resource.has_failed()>
            <div class="table-card mobile-cards">
                <Show
                    when=move || !is_empty.get()
                    fallback=move || view! { <EmptyState glyph=Glyph::Key title=empty.0 text=empty.1 /> }
                >
                    <ItemTable caption columns items stale=false skeleton_rows=4 row=move |item| row.run(item) />
                </Show>
            </div>
        </Show>
    }
}

/// Actions of an entry if the user may use them, or the time of its revocation.
#[component]
pub fn RowActions(
    #[prop(optional_no_strip)] revoked_at: Option<Timestamp>,
    #[prop(into)] can_act: Signal<bool>,
    children: ChildrenFn,
) -> impl IntoView {
    match revoked_at {
        Some(at) => view! {
            <span class="muted small">{settings::revoked()} <LocalTime at relative=true /></span>
        }
        .into_any(),
        None => view! {
            <Show when=move || can_act.get()>
                <div class="line row-actions">{children()}</div>
            </Show>
        }
        .into_any(),
    }
}

#[component]
pub fn RowAction(
    glyph: Glyph,
    label: &'static str,
    test_id: &'static str,
    /// True if the action opens the entry, so that Enter on the row triggers it.
    #[prop(optional)]
    opens_row: bool,
    #[prop(optional, into)] disabled: Signal<bool>,
    on_press: impl Fn() + Send + Sync + 'static,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="button button-small"
            data-row-link=opens_row.then_some("")
            data-test=test_id
            disabled=disabled
            on:click=move |_| on_press()
        >
            <Icon glyph />
            {label}
        </button>
    }
}
