//! Response to a tried request.

use std::sync::Arc;

use leptos::prelude::*;

use crate::api::{ApiError, TrialResponse};
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::json_editor::{JsonText, floor_char_boundary};
use crate::datetime::format_count;
use crate::json_print;
use crate::texts::{api_page as texts, common};

/// Maximum length of displayed text in bytes: about a thousand lines.
const MAX_DISPLAY_BYTES: usize = 40_000;

/// Relevant response headers, in this order.
const RELEVANT_HEADERS: [&str; 8] = [
    "content-type",
    "location",
    "retry-after",
    "x-request-id",
    "etag",
    "content-range",
    "content-disposition",
    "www-authenticate",
];

#[component]
pub fn ResponseView(response: Arc<TrialResponse>) -> impl IntoView {
    let tone = match response.status {
        200..300 => "tone-success",
        300..400 => "tone-info",
        400..500 => "tone-warning",
        _ => "tone-danger",
    };
    let headers = RELEVANT_HEADERS.iter().filter_map(|name| {
        let value = response.header(name)?.to_owned();
        Some(view! {
            <div class="reply-header">
                <dt>{*name}</dt>
                <dd class="mono">{value}</dd>
            </div>
        })
    });
    let problem = response.problem().map(|problem| {
        view! { <ErrorNotice error=ApiError::Problem(Box::new(problem)) /> }
    });
    let save_link = (response.size > 0.0).then(|| {
        view! {
            <a
                class="button button-small"
                href=response.file.as_str().to_owned()
                download=response.file_name.clone()
                rel="external"
                data-test="save-reply"
            >
                <Icon glyph=Glyph::Download />
                {common::save()}
            </a>
        }
    });
    let (status, status_text) = (response.status.to_string(), response.status_text.clone());
    view! {
        <div class="card-header">
            <h2>{texts::answer()}</h2>
            <div class="row">
                <span class=format!("chip {tone}") data-test="reply-status">{format!("{status} {status_text}")}</span>
                <span class="small muted nowrap" data-test="reply-time">{format!("{} ms", format_count(response.milliseconds.round() as u64))}</span>
                <span class="small muted nowrap">{format_size(response.size)}</span>
                {save_link}
            </div>
        </div>
        <div class="card-body stack">
            <dl class="reply-headers" data-test="reply-headers">{headers.collect_view()}</dl>
            {problem}
            {body(&response)}
        </div>
    }
    .into_any()
}

fn body(response: &TrialResponse) -> AnyView {
    let stopped_notice =
        response.is_aborted.then(|| view! { <p class="small muted">{texts::stopped_during_response()}</p> });
    if response.size == 0.0 {
        return view! { {stopped_notice} <p class="muted" data-test="reply-empty">{texts::no_body()}</p> }.into_any();
    }
    let Some(text) = response.text.clone() else {
        return view! {
            {stopped_notice}
            <p class="secondary" data-test="reply-binary">{texts::no_text()}</p>
        }
        .into_any();
    };
    let is_json = response.header("content-type").is_some_and(|media_type| media_type.contains("json"));
    let full_text = if is_json { json_print::pretty_print(&text).unwrap_or(text) } else { text };
    let displayed = truncate(&full_text).to_owned();
    let note = (response.is_truncated || displayed.len() < full_text.len()).then(|| {
        let note = texts::truncated_response(format_size(response.size));
        view! { <p class="small muted" data-test="reply-cut">{note}</p> }
    });
    let text = if is_json {
        view! { <JsonText text=Signal::stored(displayed) label=texts::body() test_id="reply-body" /> }.into_any()
    } else {
        view! {
            <pre class="json-text-view" tabindex="0" role="region" aria-label=texts::body() data-test="reply-body">{displayed}</pre>
        }
        .into_any()
    };
    view! { {stopped_notice} {text} {note} }.into_any()
}

/// The whole lines that fit the maximum length, or the beginning of a single long line.
fn truncate(text: &str) -> &str {
    if text.len() <= MAX_DISPLAY_BYTES {
        return text;
    }
    let prefix = &text[..floor_char_boundary(text, MAX_DISPLAY_BYTES)];
    prefix.rfind('\n').map_or(prefix, |end| &prefix[..end])
}

/// Formats a size: `512 bytes`, `12.3 kB`.
fn format_size(bytes: f64) -> String {
    match bytes {
        _ if bytes < 1_000.0 => texts::bytes(bytes as u64),
        _ if bytes < 1_000_000.0 => format!("{:.1} kB", bytes / 1_000.0),
        _ => format!("{:.1} MB", bytes / 1_000_000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncates_long_text_at_line_ends() {
        assert_eq!(truncate("short\ntext"), "short\ntext");
        assert_eq!(truncate(&"é\n".repeat(20_000)).len(), 39_998);
        assert_eq!(truncate(&"é".repeat(30_001)).len(), MAX_DISPLAY_BYTES);
    }

    #[test]
    fn formats_sizes() {
        assert_eq!([0.0, 999.0, 12_345.0, 3_400_000.0].map(format_size), ["0 bytes", "999 bytes", "12.3 kB", "3.4 MB"]);
    }
}
