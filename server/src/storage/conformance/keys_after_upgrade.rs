//! Idempotency keys of schema version 32, some of which kept whole records.

/// Keys, and the results that they have. Only those that start with `kept` remain after an upgrade.
const KEYS: [(&str, &str, &str); 8] = [
    ("user:1", "lead", r#"{"id":7,"city":"Bonn"}"#),
    ("user:1", "leads", r#"[{"id":7,"city":"Bonn"}]"#),
    ("user:1", "webhook", "3"),
    ("api_key:1", "kept lead", "[7]"),
    ("speech_token:1", "webhook", "4"),
    ("speech_token:1", "delivery", r#"{"id":1,"callback":{"callback_url":"https://example.com/"}}"#),
    ("speech_token:1", "kept search", r#"{"speech_request_id":1,"call_ids":[7],"total":1}"#),
    ("speech_token:1", "kept submission", r#"{"results":{"calls":{}}}"#),
];

/// Names of the keys that remain after an upgrade, in order.
pub(in crate::storage) const KEPT: &str = "kept lead,kept search,kept submission";

/// Statement that inserts the keys, with a fingerprint and a time in the database's format.
pub(in crate::storage) fn insert_sql(fingerprint: &str, time: &str) -> String {
    let row = |(owner, key, response)| format!("('{owner}', '{key}', {fingerprint}, '{response}', {time})");
    let rows = KEYS.map(row).join(", ");
    format!("INSERT INTO idempotency_keys (owner, key, fingerprint, response, created_at) VALUES {rows};")
}
