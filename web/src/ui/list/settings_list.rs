//! Settings list: a short list with a description, an add button, and actions per row.

use leadscribe_engine::api::Timestamp;
use leptos::prelude::*;

use super::table::SkeletonRows;
use crate::api::ApiError;
use crate::i18n::texts::settings;
use crate::ui::empty_state::EmptyState;
use crate::ui::error_notice::ErrorNotice;
use crate::ui::icon::{Glyph, Icon};
use crate::ui::local_time::LocalTime;

/// Texts of a list.
pub struct SettingsListTexts {
    /// Purpose of the entries.
    pub description: &'static str,
    pub caption: &'static str,
    /// Column headers, without that of the actions.
    pub columns: Vec<Column>,
    /// Label of the add button or main action, and its name in tests.
    pub add: (&'static str, &'static str),
    /// Title and text of the empty state.
    pub empty: (&'static str, &'static str),
}

/// Column header.
#[derive(Clone, Copy)]
pub enum Column {
    Text(&'static str),
    Number(&'static str),
}

/// The list.
#[component]
pub fn SettingsList<T: Clone + Send + Sync + 'static>(
    texts: SettingsListTexts,
    /// `None` until the first response arrives.
    #[prop(into)]
    items: Signal<Option<Vec<T>>>,
    #[prop(into)] error: Signal<Option<ApiError>>,
    on_retry: Callback<()>,
    #[prop(into)] can_add: Signal<bool>,
    #[prop(default = Glyph::Plus)] add_glyph: Glyph,
    on_add: Callback<()>,
    /// Renders the row of an entry.
    row: Callback<T, AnyView>,
) -> impl IntoView {
    let SettingsListTexts { description, caption, columns, add: (add, add_test), empty: (empty_title, empty_text) } =
        texts;
    let column_count = columns.len() + 1;
    let columns = StoredValue::new(columns);
    let rows = move || match items.get() {
        None => view! { <SkeletonRows columns=column_count rows=4 /> }.into_any(),
        Some(items) => items.into_iter().map(|item| row.run(item)).collect_view().into_any(),
    };
    let header = |column| match column {
        Column::Text(name) => view! { <th scope="col">{name}</th> }.into_any(),
        Column::Number(name) => view! { <th scope="col" class="number">{name}</th> }.into_any(),
    };
    let headers = move || columns.with_value(|columns| columns.iter().copied().map(header).collect_view());
    let table = move || {
        view! {
            <div class="table-wrap">
                <table class="table">
                    <caption class="visually-hidden">{caption}</caption>
                    <thead>
                        <tr>
                            {headers()}
                            <th scope="col">
                                <span class="visually-hidden">{settings::actions()}</span>
                            </th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        }
    };
    let is_empty = Memo::new(move |_| items.with(|items| items.as_ref().is_some_and(Vec::is_empty)));
    let has_failed = Memo::new(move |_| error.with(Option::is_some) && items.with(Option::is_none));
    view! {
        <div class="space-between">
            <p class="secondary">{description}</p>
            <Show when=move || can_add.get()>
                <button type="button" class="button button-primary" data-test=add_test on:click=move |_| on_add.run(())>
                    <Icon glyph=add_glyph />
                    {add}
                </button>
            </Show>
        </div>
        {move || error.get().map(|error| view! { <ErrorNotice error on_retry /> })}
        <Show when=move || !has_failed.get()>
            <div class="table-card mobile-cards">
                <Show
                    when=move || !is_empty.get()
                    fallback=move || view! { <EmptyState glyph=Glyph::Key title=empty_title text=empty_text /> }
                >
                    {table()}
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
                <div class="row row-actions">{children()}</div>
            </Show>
        }
        .into_any(),
    }
}

/// An action of an entry.
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
