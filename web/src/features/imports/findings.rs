//! Findings of an import: notes about imported rows, with the cell and the imported value.

use leadscribe_engine::api::{FindingCode, FindingSample, ImportFinding};
use leptos::prelude::*;

use crate::i18n::datetime::format_count;
use crate::i18n::texts::imports;
use crate::ui::icon::{Glyph, Icon};

/// One row per finding; renders nothing without findings.
#[component]
pub fn FindingsTable(findings: Vec<ImportFinding>) -> impl IntoView {
    let has_findings = !findings.is_empty();
    let rows = findings.into_iter().map(|ImportFinding { code, column, count: cells, samples }| {
        let icon = code.is_warning().then(|| view! { <Icon glyph=Glyph::Alert /> });
        let has_more = cells > samples.len() as u64;
        view! {
            <tr data-test="finding" data-code=code.as_str() class:is-warning=code.is_warning()>
                <td class="number fit" data-label=imports::count_column()>{format_count(cells)}</td>
                <td class="finding-what" data-label=imports::finding()>
                    <div class="finding-text">
                        {icon}
                        <div>
                            <p>{imports::finding_text(code)}</p>
                            {column.map(|column| view! { <p class="small secondary">{imports::in_column(column)}</p> })}
                        </div>
                    </div>
                </td>
                <td data-label=imports::examples()>
                    <ul class="finding-samples">
                        {samples.into_iter().map(|entry| sample_item(code, entry)).collect_view()}
                        {has_more.then(|| view! { <li class="secondary">"…"</li> })}
                    </ul>
                </td>
            </tr>
        }
        .into_any()
    });
    has_findings.then(|| {
        view! {
            <div class="table-wrap mobile-cards" tabindex="0" role="region" aria-label=imports::findings()>
                <table class="table findings" data-test="findings">
                    <caption class="findings-caption">{imports::findings()}</caption>
                    <thead>
                        <tr>
                            <th scope="col" class="number fit">{imports::count_column()}</th>
                            <th scope="col">{imports::finding()}</th>
                            <th scope="col">{imports::examples()}</th>
                        </tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </div>
        }
        .into_any()
    })
}

fn sample_item(code: FindingCode, FindingSample { line, cell, result }: FindingSample) -> AnyView {
    let cell = cell.map(|cell| {
        let result = result.map(|result| match code {
            FindingCode::UnknownCountry => view! { " " {imports::did_you_mean(result)} }.into_any(),
            _ => view! {
                <span aria-hidden="true">" → "</span>
                <span class="visually-hidden">{imports::read_as()}</span>
                <code>{result}</code>
            }
            .into_any(),
        });
        view! { <code>{cell}</code> {result} " " }
    });
    view! {
        <li>
            {cell}
            <span class="small secondary">{imports::at_line(line)}</span>
        </li>
    }
    .into_any()
}
