//! Names of the subjects of audit entries. The log stores no names, so that deleted data stays deleted; they are looked up on reading.

use std::collections::HashMap;

use leadscribe_engine::api::*;

use crate::storage::StoreError;
use crate::storage::sql::{Bind, Session};

/// A kind of subject that has a name: the table, the id column and the name column.
struct Named {
    kind: &'static str,
    from: &'static str,
    id: &'static str,
    name: &'static str,
}

const NAMED: [Named; 8] = [
    Named { kind: LeadId::KIND, from: "leads l", id: "l.id", name: "concat_ws(' ', l.first_name, l.last_name)" },
    Named { kind: CampaignId::KIND, from: "campaigns", id: "id", name: "name" },
    Named {
        kind: CampaignLeadId::KIND,
        from: "campaign_leads i JOIN leads l ON l.id = i.lead_id JOIN campaigns c ON c.id = i.campaign_id",
        id: "i.id",
        name: "concat_ws(', ', nullif(concat_ws(' ', l.first_name, l.last_name), ''), c.name)",
    },
    Named { kind: ImportId::KIND, from: "imports", id: "id", name: "file_name" },
    Named { kind: UserId::KIND, from: "users", id: "id", name: "email" },
    Named { kind: ApiKeyId::KIND, from: "api_keys", id: "id", name: "name" },
    Named { kind: TokenId::KIND, from: "speech_tokens", id: "id", name: "name" },
    // The names of private views are not shown to other users.
    Named { kind: ViewId::KIND, from: "saved_views", id: "id", name: "CASE WHEN shared THEN name END" },
];

/// Looks up the current names of the subjects of these entries.
pub(super) fn look_up(session: &dyn Session, entries: &mut [AuditEntry]) -> Result<(), StoreError> {
    for Named { kind, from, id, name } in NAMED {
        let ids = entries.iter().filter_map(|entry| id_of(&entry.subject, kind)).collect::<Vec<_>>();
        if ids.is_empty() {
            continue;
        }
        let sql = format!("SELECT {id}, {name} FROM {from} WHERE {}", session.dialect().is_any_of(id, "?1"));
        let found = session.query(&sql, &[Bind::ids(ids)], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let names: HashMap<i64, Option<String>> = found.into_iter().collect();
        for entry in entries.iter_mut() {
            let name = id_of(&entry.subject, kind).and_then(|id| names.get(&id)?.as_deref());
            entry.subject_name = name.filter(|name| !name.is_empty()).map(str::to_owned).or(entry.subject_name.take());
        }
    }
    Ok(())
}

/// Returns the id in a subject of this kind.
fn id_of(subject: &str, kind: &str) -> Option<i64> {
    subject.strip_prefix(kind)?.strip_prefix(':')?.parse().ok()
}
