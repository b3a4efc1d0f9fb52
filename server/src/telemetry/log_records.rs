//! Formats records of the crate `log`, which some libraries use, in the same way as events of `tracing`.
//!
//! Such records contain the source location in the library, with paths of the build machine. The JSON format of `tracing_subscriber` writes
//! it as fields; its text format does not.

use std::fmt;

use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_log::NormalizeEvent;
use tracing_subscriber::fmt::format::{FormatEvent, JsonFields, Writer};
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

/// Formats records of `log` as JSON without source location. Events are passed to the inner format.
pub struct LogRecordFormatter<F>(pub F);

impl<S, F> FormatEvent<S, JsonFields> for LogRecordFormatter<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    F: FormatEvent<S, JsonFields>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, JsonFields>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let Some(metadata) = event.normalized_metadata() else {
            return self.0.format_event(context, writer, event);
        };
        let mut timestamp = String::new();
        SystemTime.format_time(&mut Writer::new(&mut timestamp))?;
        let mut message = MessageVisitor::default();
        event.record(&mut message);
        let mut line = json!({
            "timestamp": timestamp,
            "level": metadata.level().as_str(),
            "message": message.0,
            "target": metadata.target(),
        });
        if let Some(span) = context.lookup_current() {
            let mut fields = span
                .extensions()
                .get::<FormattedFields<JsonFields>>()
                .and_then(|fields| serde_json::from_str::<Map<String, Value>>(fields).ok())
                .unwrap_or_default();
            fields.insert("name".to_owned(), span.name().into());
            line["span"] = fields.into();
        }
        writeln!(writer, "{line}")
    }
}

/// Visitor that extracts the message of an event.
#[derive(Default)]
struct MessageVisitor(String);

impl Visit for MessageVisitor {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}
