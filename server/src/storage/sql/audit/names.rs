//! Names of the subjects of audit entries. The log stores no names, so that deleted data stays deleted; they are looked up on reading.

use std::collections::HashMap;

use leadscribe_engine::api::*;

use crate::storage::Result;
use crate::storage::sql::{Bind, Session};

/// A kind of subject that has a name: the table, the id column and the name column.
struct NamedSubject {
    kind: &'static str,
    from: &'static str,
    id: &'static str,
    name: &'static str,
}

const NAMED_SUBJECTS: [NamedSubject; 8] = [
    NamedSubject { kind: LeadId::KIND, from: "leads l", id: "l.id", name: "concat_ws(' ', l.first_name, l.last_name)" },
    NamedSubject { kind: CampaignId::KIND, from: "campaigns", id: "id", name: "name" },
    NamedSubject {
        kind: CampaignLeadId::KIND,
        from: "campaign_leads i JOIN leads l ON l.id = i.lead_id JOIN campaigns c ON c.id = i.campaign_id",
        id: "i.id",
        name: "concat_ws(', ', nullif(concat_ws(' ', l.first_name, l.last_name), ''), c.name)",
    },
    NamedSubject { kind: ImportId::KIND, from: "imports", id: "id", name: "file_name" },
    NamedSubject { kind: UserId::KIND, from: "users", id: "id", name: "email" },
    NamedSubject { kind: ApiKeyId::KIND, from: "api_keys", id: "id", name: "name" },
    NamedSubject { kind: TokenId::KIND, from: "speech_tokens", id: "id", name: "name" },
    // The names of private views are not shown to other users.
    NamedSubject { kind: ViewId::KIND, from: "saved_views", id: "id", name: "CASE WHEN shared THEN name END" },
];

/// Looks up the current names of the subjects of these entries.
pub(super) fn fill_subject_names(session: &dyn Session, entries: &mut [AuditEntry]) -> Result<()> {
    for NamedSubject { kind, from, id, name } in NAMED_SUBJECTS {
        let ids = entries.iter().filter_map(|entry| subject_id(&entry.subject, kind)).collect::<Vec<_>>();
        if ids.is_empty() {
            continue;
        }
        let sql = format!("SELECT {id}, {name} FROM {from} WHERE {}", session.dialect().is_any_of(id, "?1"));
        let rows = session.query(&sql, &[Bind::ids(ids)], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let names: HashMap<i64, Option<String>> = rows.into_iter().collect();
        for entry in entries.iter_mut() {
            let name = subject_id(&entry.subject, kind).and_then(|id| names.get(&id)?.as_deref());
            entry.subject_name = name.filter(|name| !name.is_empty()).map(str::to_owned).or(entry.subject_name.take());
        }
    }
    Ok(())
}

fn subject_id(subject: &str, kind: &str) -> Option<i64> {
    subject.strip_prefix(kind)?.strip_prefix(':')?.parse().ok()
}
