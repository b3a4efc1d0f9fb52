//! Changes as server-sent events.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use leadscribe_engine::api::{ChangePage, RecordChange};

use crate::concurrency_limit::ConcurrencyPermit;
use crate::http::event_stream::EventSource;
use crate::service::app::App;
use crate::service::operations::change_log;
use crate::storage::{ChangeCursor, ChangeQuery};

/// Maximum number of changes that a stream holds. They have no share of the memory for responses, which an idle stream would keep
/// from others.
pub const MAX_PAGE_SIZE: usize = 10;

/// Time after which a stream without changes reports its position.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Reads changes page by page.
pub struct ChangeStream {
    app: Arc<App>,
    query: ChangeQuery,
    /// First page, which was read before the response started.
    first_page: Option<ChangePage>,
    _permit: ConcurrencyPermit,
}

impl ChangeStream {
    /// Creates a stream that starts with `first_page`.
    pub fn new(app: Arc<App>, query: ChangeQuery, first_page: ChangePage, permit: ConcurrencyPermit) -> Self {
        Self { app, query, first_page: Some(first_page), _permit: permit }
    }
}

impl EventSource for ChangeStream {
    async fn next(&mut self) -> Option<Bytes> {
        let page = match self.first_page.take() {
            Some(page) => page,
            // An error ends the stream; a client that reconnects gets the reason.
            None => tokio::select! {
                page = change_log::read_or_wait(&self.app, self.query.clone(), MAX_WAIT) => page.ok()?,
                () = self.app.changes.stopped() => return None,
            },
        };
        self.query.after = ChangeCursor::parse(&page.next_cursor);
        Some(format_page(&page))
    }

    fn heartbeat(&self) -> Bytes {
        let cursor = self.query.after.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("id: {cursor}\n\n").into()
    }
}

/// Formats the changes, and the position after them, to which a client returns if it reconnects.
fn format_page(page: &ChangePage) -> Bytes {
    let mut text = String::new();
    for change in &page.items {
        let RecordChange { cursor, record_type, .. } = change;
        let data = serde_json::to_string(change).expect("records can be serialized");
        // Writing to a string never fails.
        let _ = write!(text, "id: {cursor}\nevent: {record_type}\ndata: {data}\n\n");
    }
    let _ = write!(text, "id: {}\n\n", page.next_cursor);
    text.into()
}
