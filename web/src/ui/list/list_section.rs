//! A paginated list below its filter: the error of its query, or its table with the sort choice and the pager. Menu to
//! export the whole list as a file.

use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use super::column_headers::{ColumnHeader, ListOrder, OrderSelect};
use super::pager::Pager;
use super::paginated_list::PaginatedList;
use crate::api::{ApiError, ListQuery};
use crate::i18n::texts::common;
use crate::ui::input::{Button, DropDown};
use crate::ui::{ErrorNotice, Glyph, Icon, NoMatches, PageOutOfRange, diagnostic_list};

#[component]
pub fn ListSection<Q: ListQuery, T: Clone + PartialEq + Send + Sync + 'static>(
    list: PaginatedList<Q, T>,
    /// Accessible name.
    label: &'static str,
    /// Parameters of the query whose diagnostics are shown at their inputs.
    field_parameters: &'static [&'static str],
    columns: &'static [ColumnHeader],
    order: ListOrder,
    /// Content before the sort choice.
    #[prop(optional_no_strip)]
    leading: Option<AnyView>,
    /// Icon of the empty states.
    glyph: Glyph,
    /// Title and text if no item matches the query.
    no_match: (&'static str, &'static str),
    /// Label of the button that shows the whole list.
    reset_label: &'static str,
    on_retry: Callback<()>,
    /// Error of data in addition to the list.
    #[prop(optional, into)]
    other_error: Signal<Option<ApiError>>,
    /// Shown if the whole list has no items.
    #[prop(optional, into)]
    empty: Option<ViewFn>,
    #[prop(into)] table: ViewFn,
    /// Content below the pager.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let PaginatedList { list_query, page_resource, window, .. } = list;
    let (on_reset, on_first) = (list.on_reset(), list.on_first_page());
    let (is_past_end, is_empty) = (list.is_past_end(), list.is_empty());
    let content = move || match (is_past_end.get(), is_empty.get(), &empty) {
        (true, ..) => view! { <PageOutOfRange glyph on_first /> }.into_any(),
        (_, false, _) => table.run(),
        (_, true, Some(empty)) if !list_query.with(ListQuery::has_conditions) => empty.run(),
        (_, true, _) => {
            let (title, text) = no_match;
            view! { <NoMatches glyph title text reset_label on_reset /> }.into_any()
        }
    };
    let error = Signal::derive(move || page_resource.error.get().or_else(|| other_error.get()));
    view! {
        <ListError error field_parameters reset_label on_reset on_retry />
        <section class="table-card mobile-cards" hidden=move || page_resource.has_failed() aria-label=label>
            <OrderSelect headers=columns order leading />
            {content}
            <Pager window total=list.total() stale=list.is_stale() on_change=list.on_page() />
            {children.map(|children| children())}
        </section>
    }
}

#[component]
pub fn InvalidQueryNotice(
    title: &'static str,
    advice: &'static str,
    /// Diagnostics that don't belong to an input.
    #[prop(optional)]
    diagnostics: Vec<Diagnostic>,
    /// Label of the button that shows the whole list.
    reset_label: &'static str,
    on_reset: Callback<()>,
) -> impl IntoView {
    view! {
        <div class="notice tone-warning" role="alert" data-test="invalid-query">
            <Icon glyph=Glyph::Alert />
            <div class="notice-body">
                <strong>{title}</strong>
                <p>{advice}</p>
                {diagnostic_list(&diagnostics)}
            </div>
            <Button class="button-small" label=reset_label test_id="show-all" on_press=on_reset />
        </div>
    }
}

/// Error of a list, without the diagnostics of `field_parameters`, which are shown at their inputs.
#[component]
pub fn ListError(
    #[prop(into)] error: Signal<Option<ApiError>>,
    field_parameters: &'static [&'static str],
    reset_label: &'static str,
    on_reset: Callback<()>,
    on_retry: Callback<()>,
) -> impl IntoView {
    let notice = move |error: ApiError| match error.diagnostics().is_empty() {
        true => view! { <ErrorNotice error on_retry /> }.into_any(),
        false => {
            let diagnostics =
                error.excluding_fields(field_parameters).map(|rest| rest.diagnostics()).unwrap_or_default();
            let (title, advice) = (common::invalid_filter(), common::invalid_filter_hint());
            view! { <InvalidQueryNotice title advice diagnostics reset_label on_reset /> }.into_any()
        }
    };
    (move || error.get().map(notice)).into_any()
}

/// A downloadable file format.
pub struct ExportFile {
    /// Unique name for tests.
    pub test_id: &'static str,
    pub href: Signal<String>,
    pub label: &'static str,
    /// Description of the content and its use.
    pub description: &'static str,
}

#[component]
pub fn ExportMenu(files: Vec<ExportFile>) -> impl IntoView {
    let links = files.into_iter().map(|file| {
        view! {
            <a href=file.href download data-test=format!("export-{}", file.test_id)>
                <span class="strong">{file.label}</span>
                <span class="small secondary">{file.description}</span>
            </a>
        }
    });
    let links = links.collect_view();
    let button_content = || view! { <span class="export-label">{common::export()}</span> };
    view! {
        <DropDown label=common::export() glyph=Glyph::Download test_id="export" button_content=ViewFn::from(button_content)>
            {links}
        </DropDown>
    }
}

/// Export of all rows that a query finds, in its order.
pub fn export_files<Q: ListQuery>(query: Memo<Q>) -> Vec<ExportFile> {
    let href = move |format: &'static str| Signal::derive(move || query.with(|query| query.file_url(format)));
    [("csv", common::csv(), common::csv_hint()), ("jsonl", common::json_lines(), common::json_lines_hint())]
        .map(|(format, label, description)| ExportFile { test_id: format, href: href(format), label, description })
        .into()
}
