//! Response to a tried request.

use std::sync::Arc;

use leptos::prelude::*;

use crate::api::{ApiError, Reply};
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::json_editor::{JsonText, floor};
use crate::json_print;
use crate::texts::{api_page as texts, common};
use crate::when::count;

/// Maximum length of displayed text in bytes: about a thousand lines.
const SHOWN: usize = 40_000;

/// Relevant response headers, in this order.
const TELLING: [&str; 8] = [
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
pub fn ReplyView(reply: Arc<Reply>) -> impl IntoView {
    let tone = match reply.status {
        200..300 => "tone-success",
        300..400 => "tone-info",
        400..500 => "tone-warning",
        _ => "tone-danger",
    };
    let headers = TELLING.iter().filter_map(|name| {
        let value = reply.header(name)?.to_owned();
        Some(view! {
            <div class="reply-header">
                <dt>{*name}</dt>
                <dd class="mono">{value}</dd>
            </div>
        })
    });
    let problem = reply.problem().map(|problem| {
        view! { <ErrorNotice error=ApiError::Problem(Box::new(problem)) /> }
    });
    let save = (reply.size > 0.0).then(|| {
        view! {
            <a
                class="button button-small"
                href=reply.file.as_str().to_owned()
                download=reply.file_name.clone()
                rel="external"
                data-test="save-reply"
            >
                <Icon glyph=Glyph::Download />
                {common::save()}
            </a>
        }
    });
    let (status, status_text) = (reply.status.to_string(), reply.status_text.clone());
    view! {
        <div class="card-head">
            <h2>{texts::answer()}</h2>
            <div class="row">
                <span class=format!("chip {tone}") data-test="reply-status">{format!("{status} {status_text}")}</span>
                <span class="small muted nowrap" data-test="reply-time">{format!("{} ms", count(reply.milliseconds.round() as u64))}</span>
                <span class="small muted nowrap">{size(reply.size)}</span>
                {save}
            </div>
        </div>
        <div class="card-body stack">
            <dl class="reply-headers" data-test="reply-headers">{headers.collect_view()}</dl>
            {problem}
            {body(&reply)}
        </div>
    }
    .into_any()
}

fn body(reply: &Reply) -> AnyView {
    let stopped = reply.is_stopped.then(|| view! { <p class="small muted">{texts::stopped_within()}</p> });
    if reply.size == 0.0 {
        return view! { {stopped} <p class="muted" data-test="reply-empty">{texts::no_body()}</p> }.into_any();
    }
    let Some(text) = reply.text.clone() else {
        return view! {
            {stopped}
            <p class="secondary" data-test="reply-binary">{texts::no_text()}</p>
        }
        .into_any();
    };
    let is_json = reply.header("content-type").is_some_and(|media_type| media_type.contains("json"));
    let whole = if is_json { json_print::pretty(&text).unwrap_or(text) } else { text };
    let shown = beginning(&whole).to_owned();
    let note = (reply.is_cut || shown.len() < whole.len()).then(|| {
        let note = texts::only_beginning(size(reply.size));
        view! { <p class="small muted" data-test="reply-cut">{note}</p> }
    });
    let text = if is_json {
        view! { <JsonText text=Signal::stored(shown) label=texts::body() test="reply-body" /> }.into_any()
    } else {
        view! {
            <pre class="json-shown" tabindex="0" role="region" aria-label=texts::body() data-test="reply-body">{shown}</pre>
        }
        .into_any()
    };
    view! { {stopped} {text} {note} }.into_any()
}

/// The whole lines that fit the maximum length, or the beginning of a single long line.
fn beginning(text: &str) -> &str {
    if text.len() <= SHOWN {
        return text;
    }
    let start = &text[..floor(text, SHOWN)];
    start.rfind('\n').map_or(start, |end| &start[..end])
}

/// Formats a size: `512 bytes`, `12.3 kB`.
fn size(bytes: f64) -> String {
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
        assert_eq!(beginning("short\ntext"), "short\ntext");
        assert_eq!(beginning(&"é\n".repeat(20_000)).len(), 39_998);
        assert_eq!(beginning(&"é".repeat(30_001)).len(), SHOWN);
    }

    #[test]
    fn formats_sizes() {
        assert_eq!([0.0, 999.0, 12_345.0, 3_400_000.0].map(size), ["0 bytes", "999 bytes", "12.3 kB", "3.4 MB"]);
    }
}
