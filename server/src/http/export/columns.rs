//! Columns of exported lists: the members of an entry, in the order of its fields.

use crate::service::operations::list_export::ExportableQuery;
use crate::storage::{AuditQuery, CallQuery, CampaignQuery, DeliveryQuery, ImportQuery, TranscriptQuery};

/// A list that can be exported as CSV.
pub trait ExportColumns: ExportableQuery {
    /// Names of the members; `a.b` is member `b` of member `a`.
    const COLUMNS: &'static [&'static str];
}

impl ExportColumns for CallQuery {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "original_identifier",
        "lead_id",
        "campaign_lead_id",
        "campaign_id",
        "agent",
        "direction",
        "caller_number",
        "callee_number",
        "status",
        "started_at",
        "ended_at",
        "created_at",
        "recording.state",
        "recording.media_type",
        "recording.channels",
        "recording.sample_rate",
        "recording.duration_seconds",
        "recording.bytes",
        "transcription_state",
    ];
}

impl ExportColumns for CampaignQuery {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "name",
        "active",
        "calling_hours.start",
        "calling_hours.end",
        "calling_hours.days",
        "max_attempts",
        "daily_attempts",
        "freeze_minutes",
        "created_at",
        "updated_at",
        "leads",
        "new",
        "called",
        "done",
    ];
}

impl ExportColumns for DeliveryQuery {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "speech_request_id",
        "token_id",
        "webhook_id",
        "event",
        "call_id",
        "callback.callback_url",
        "callback.callback_method",
        "callback.callback_data",
        "state",
        "attempts",
        "last_status",
        "last_error.detail",
        "next_attempt_at",
        "created_at",
        "finished_at",
    ];
}

impl ExportColumns for ImportQuery {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "kind",
        "file_name",
        "dry_run",
        "columns",
        "delimiter",
        "campaign.id",
        "campaign.name",
        "campaign.status",
        "campaign.leads_added",
        "corrects_import_id",
        "state",
        "counts.read",
        "counts.inserted",
        "counts.updated",
        "counts.unchanged",
        "counts.rejected",
        "counts.undialable",
        "counts.corrected",
        "progress",
        "new_statuses",
        "error.detail",
        "started_at",
        "finished_at",
        "cancel_requested_at",
        "undo.state",
        "undo.to_delete",
        "undo.to_restore",
        "undo.undoable_until",
        "undo.actor",
        "undo.started_at",
        "undo.finished_at",
        "undo.deleted",
        "undo.restored",
        "undo.skipped",
    ];
}

impl ExportColumns for AuditQuery {
    const COLUMNS: &'static [&'static str] =
        &["id", "created_at", "actor", "action", "subject", "subject_name", "request_id", "fields"];
}

/// A passage has one column for its text. Position and matched words are useless without the recording.
impl ExportColumns for TranscriptQuery {
    const COLUMNS: &'static [&'static str] = &[
        "call_id",
        "transcription_id",
        "token_id",
        "lead_id",
        "campaign_id",
        "campaign_name",
        "agent",
        "call_created_at",
        "language",
        "duration",
        "passages.text",
        "matches",
    ];
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::http::openapi;

    /// Returns the members of a schema, including nested ones.
    fn member_names(document: &Value, schema: &Value) -> BTreeSet<String> {
        let schema = match schema["$ref"].as_str() {
            Some(pointer) => &document.pointer(pointer.trim_start_matches('#')).unwrap().clone(),
            None => schema,
        };
        let variants =
            ["oneOf", "anyOf", "allOf"].iter().flat_map(|variant| schema[variant].as_array().into_iter().flatten());
        let mut names: BTreeSet<_> = variants.flat_map(|variant| member_names(document, variant)).collect();
        names.extend(item_member_names(document, schema));
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            let nested = member_names(document, member);
            if nested.is_empty() {
                names.insert(name.clone());
            }
            names.extend(nested.iter().map(|member| format!("{name}.{member}")));
        }
        names
    }

    fn item_member_names(document: &Value, schema: &Value) -> BTreeSet<String> {
        if schema["items"].is_object() { member_names(document, &schema["items"]) } else { BTreeSet::new() }
    }

    #[test]
    fn exports_every_member_of_an_entry() {
        let document: Value = serde_json::from_slice(&openapi::json()).unwrap();
        let check = |path: &str, columns: &[&str], extra: &[&str], excluded: &[&str]| {
            let page = &document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"];
            let member_names = member_names(&document, page);
            let member_names = member_names
                .iter()
                .filter_map(|name| name.strip_prefix("items."))
                .filter(|name| !excluded.contains(name));
            let expected: BTreeSet<_> = member_names.chain(extra.iter().copied()).collect();
            assert_eq!(columns.iter().copied().collect::<BTreeSet<_>>(), expected, "{path}");
            assert_eq!(columns.len(), expected.len(), "{path} has duplicate columns");
        };
        check("/api/calls", CallQuery::COLUMNS, &[], &[]);
        check("/api/campaigns", CampaignQuery::COLUMNS, &["leads", "new", "called", "done"], &[]);
        check("/api/deliveries", DeliveryQuery::COLUMNS, &[], &["last_error.message.args", "last_error.message.id"]);
        // Nested lists and a JSON object, which are shown on the page of an import.
        let excluded = [
            "findings.code",
            "findings.column",
            "findings.count",
            "findings.samples.cell",
            "findings.samples.line",
            "findings.samples.result",
            "mapping",
            "error.message.args",
            "error.message.id",
        ];
        check("/api/imports", ImportQuery::COLUMNS, &[], &excluded);
        check("/api/audit-log", AuditQuery::COLUMNS, &[], &[]);
        let excluded_passages =
            ["passages.start", "passages.end", "passages.side", "passages.matches.start", "passages.matches.end"];
        check("/api/transcripts", TranscriptQuery::COLUMNS, &[], &excluded_passages);
    }
}
