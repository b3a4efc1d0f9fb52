//! A short list that staff keep: what it is for, a way to add to it, its rows with what can be done to each.

use leadscribe_engine::api::Timestamp;
use leptos::prelude::*;

use super::table::SkeletonRows;
use crate::api::ApiError;
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::moment::Moment;
use crate::texts::settings;

/// What a list says of itself.
pub struct Wording {
    /// What its entries are for.
    pub about: &'static str,
    pub caption: &'static str,
    /// The heads of its columns; that of the actions is not among them.
    pub columns: Vec<Column>,
    /// The button that adds an entry, or does something to all, and its name in tests.
    pub add: (&'static str, &'static str),
    /// What stands there while it has no entry, and what one would be for.
    pub empty: (&'static str, &'static str),
}

/// The head of a column.
#[derive(Clone, Copy)]
pub enum Column {
    Text(&'static str),
    Number(&'static str),
}

/// The list.
#[component]
pub fn ManagedList<T: Clone + Send + Sync + 'static>(
    wording: Wording,
    /// None while the first answer is awaited.
    #[prop(into)]
    items: Signal<Option<Vec<T>>>,
    #[prop(into)] error: Signal<Option<ApiError>>,
    on_retry: Callback<()>,
    #[prop(into)] may_add: Signal<bool>,
    #[prop(default = Glyph::Plus)] add_glyph: Glyph,
    on_add: Callback<()>,
    /// Makes the row of an entry.
    row: Callback<T, AnyView>,
) -> impl IntoView {
    let Wording { about, caption, columns, add: (add, add_test), empty: (empty_title, empty_text) } = wording;
    let count = columns.len() + 1;
    let columns = StoredValue::new(columns);
    let rows = move || match items.get() {
        None => view! { <SkeletonRows columns=count rows=4 /> }.into_any(),
        Some(items) => items.into_iter().map(|item| row.run(item)).collect_view().into_any(),
    };
    let head = |column| match column {
        Column::Text(name) => view! { <th scope="col">{name}</th> }.into_any(),
        Column::Number(name) => view! { <th scope="col" class="number">{name}</th> }.into_any(),
    };
    let heads = move || columns.with_value(|columns| columns.iter().copied().map(head).collect_view());
    let table = move || {
        view! {
            <div class="table-wrap">
                <table class="table">
                    <caption class="visually-hidden">{caption}</caption>
                    <thead>
                        <tr>
                            {heads()}
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
        <div class="spread">
            <p class="secondary">{about}</p>
            <Show when=move || may_add.get()>
                <button type="button" class="button button-primary" data-test=add_test on:click=move |_| on_add.run(())>
                    <Icon glyph=add_glyph />
                    {add}
                </button>
            </Show>
        </div>
        {move || error.get().map(|error| view! { <ErrorNotice error on_retry /> })}
        <Show when=move || !has_failed.get()>
            <div class="table-card as-cards">
                <Show
                    when=move || !is_empty.get()
                    fallback=move || view! { <Empty glyph=Glyph::Key title=empty_title text=empty_text /> }
                >
                    {table()}
                </Show>
            </div>
        </Show>
    }
}

/// What can be done to an entry, for those who may; or when it was revoked.
#[component]
pub fn RowActions(
    #[prop(optional_no_strip)] revoked_at: Option<Timestamp>,
    #[prop(into)] may_act: Signal<bool>,
    children: ChildrenFn,
) -> impl IntoView {
    match revoked_at {
        Some(at) => view! {
            <span class="muted small">{settings::revoked()} <Moment at relative=true /></span>
        }
        .into_any(),
        None => view! {
            <Show when=move || may_act.get()>
                <div class="row row-actions">{children()}</div>
            </Show>
        }
        .into_any(),
    }
}

/// One thing that can be done to an entry.
#[component]
pub fn RowAction(
    glyph: Glyph,
    label: &'static str,
    test: &'static str,
    /// Whether it shows the entry, so that Enter does it on the row.
    #[prop(optional)]
    opens: bool,
    #[prop(optional, into)] disabled: Signal<bool>,
    on_press: impl Fn() + Send + Sync + 'static,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="button button-small"
            data-opens=opens.then_some("")
            data-test=test
            disabled=disabled
            on:click=move |_| on_press()
        >
            <Icon glyph />
            {label}
        </button>
    }
}
