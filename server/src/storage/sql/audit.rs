//! The audit log.

mod names;

use async_trait::async_trait;
use leadscribe_engine::api::{AuditEntry, AuditId, AuditOrder, LeadId, Order, Page, is_audited};

use super::lists::{self, KeyType, List, ListKey};
use super::rows::slice_binds;
use super::{Bind, Database, Row, Session, SqlStore, binds, ids};
use crate::storage::filter_sql::SqlBuilder;
use crate::storage::{AuditContext, AuditQuery, AuditStore, Result, Slice};

/// Adds an entry to the audit log, in the transaction that makes the change.
pub(super) fn record(session: &dyn Session, action: &str, subject: &str, audit: &AuditContext) -> Result<()> {
    debug_assert!(is_audited(action), "no filter of the audit log includes {action}");
    session.execute(
        "INSERT INTO audit_log (at, actor, action, subject, request_id) VALUES (?1, ?2, ?3, ?4, ?5)",
        &binds![audit.at, audit.actor, action, subject, audit.request_id],
    )?;
    Ok(())
}

/// Subject of a change and the changed fields, by their API names. `fields` is empty for creations and deletions.
pub(super) struct AuditedChange {
    pub subject: String,
    pub fields: Vec<String>,
}

/// Adds entries for several changes of the same kind.
pub(super) fn record_changes(
    session: &dyn Session,
    action: &str,
    changes: &[AuditedChange],
    audit: &AuditContext,
) -> Result<()> {
    debug_assert!(is_audited(action), "no filter of the audit log includes {action}");
    let rows: Vec<_> = changes
        .iter()
        .map(|AuditedChange { subject, fields }| {
            let fields = if fields.is_empty() { Bind::Null } else { Bind::json(fields) };
            binds![Bind::Null, audit.at, audit.actor, action, *subject, audit.request_id, fields].to_vec()
        })
        .collect();
    let columns = ["id", "at", "actor", "action", "subject", "request_id", "fields"];
    ids::insert_many(session, "audit_log", &columns, &rows)
}

/// Columns that [`read_entry`] reads. Names of subjects are looked up separately, many at a time.
const COLUMNS: &str = "id, at, actor, action, subject, request_id, fields";

fn read_entry(row: &dyn Row) -> Result<AuditEntry> {
    Ok(AuditEntry {
        id: AuditId(row.get(0)?),
        created_at: row.get(1)?,
        actor: row.get(2)?,
        action: row.get(3)?,
        subject: row.get(4)?,
        subject_name: None,
        request_id: row.get(5)?,
        fields: row.json_or_null(6)?.unwrap_or_default(),
    })
}

impl List for AuditQuery {
    type SortField = AuditOrder;
    type Row = AuditEntry;
    const FROM: &'static str = "audit_log";
    const ID: &'static str = "id";
    const COLUMNS: &'static str = COLUMNS;

    fn order(&self) -> Order<AuditOrder> {
        self.order
    }

    fn key(&self, field: AuditOrder, _sql: &SqlBuilder) -> ListKey {
        match field {
            AuditOrder::Id => ListKey::new(KeyType::Integer, Self::ID),
            AuditOrder::CreatedAt => ListKey::new(KeyType::Time, "at"),
            AuditOrder::Actor => ListKey::new(KeyType::Text, "actor"),
            AuditOrder::Action => ListKey::new(KeyType::Text, "action"),
            AuditOrder::Subject => ListKey::new(KeyType::Text, "subject"),
        }
    }

    fn push_conditions(&self, sql: &mut SqlBuilder) {
        // A kind matches all values that start with it and the separator: the range up to the character after the separator.
        for (column, value, separator, next_character) in
            [("actor", &self.actor, ':', ';'), ("action", &self.action, '.', '/'), ("subject", &self.subject, ':', ';')]
        {
            let Some(value) = value else { continue };
            let text = |separator: char| Bind::Text(format!("{value}{separator}"));
            sql.push(" AND (").push(column).push(" = ").push_bind(Bind::Text(value.clone()));
            sql.push(" OR ").push(column).push(" >= ").push_bind(text(separator));
            sql.push(" AND ").push(column).push(" < ").push_bind(text(next_character)).push(")");
        }
        for (condition, time) in [(" AND at >= ", self.from), (" AND at <= ", self.till)] {
            if let Some(time) = time {
                sql.push(condition).push_bind(Bind::Time(time));
            }
        }
    }

    fn read(&self, row: &dyn Row) -> Result<AuditEntry> {
        read_entry(row)
    }

    fn id(row: &AuditEntry) -> i64 {
        row.id.0
    }

    fn entries(session: &dyn Session, mut rows: Vec<AuditEntry>) -> Result<Vec<AuditEntry>> {
        names::fill_subject_names(session, &mut rows)?;
        Ok(rows)
    }
}

/// Entries about a lead and its campaign leads, newest first. Includes the imports that created or changed them, for as long as those
/// changes are kept.
pub(super) fn lead_history(session: &dyn Session, id: LeadId, slice: Slice) -> Result<Page<AuditEntry>> {
    // Compare complete subjects, so that the index on `subject` is used. The `count(*)` subqueries use the index that starts with
    // `import_id`: there are few imports, but many changes.
    const FROM_LEAD_ENTRIES: &str = "FROM audit_log WHERE subject IN (SELECT ?1 UNION ALL \
         SELECT 'campaign_lead:' || c.id FROM campaign_leads c WHERE c.lead_id = ?2 UNION ALL \
         SELECT 'import:' || i.id FROM import_undos u JOIN imports i ON i.id = u.import_id WHERE \
             (SELECT count(*) FROM undo_journal h WHERE h.import_id = i.id AND h.kind = 'leads' AND h.record_id = ?2) > 0 \
             OR (SELECT count(*) FROM campaign_leads c JOIN undo_journal h ON h.record_id = c.id \
                 WHERE c.lead_id = ?2 AND h.import_id = i.id AND h.kind = 'campaign-leads') > 0)";
    let subject = id.subject();
    let total = session.query_value(&format!("SELECT count(*) {FROM_LEAD_ENTRIES}"), &binds![subject, id.0])?;
    let sql = format!("SELECT {COLUMNS} {FROM_LEAD_ENTRIES} ORDER BY id DESC LIMIT ?3 OFFSET ?4");
    let [limit, offset] = slice_binds(slice);
    let mut items = session.query(&sql, &[Bind::Text(subject), Bind::from(&id.0), limit, offset], read_entry)?;
    names::fill_subject_names(session, &mut items)?;
    Ok(Page { items, total })
}

#[async_trait]
impl<D: Database> AuditStore for SqlStore<D> {
    async fn audit_log(&self, query: &AuditQuery, slice: Slice) -> Result<Page<AuditEntry>> {
        let query = query.clone();
        let page = move |session: &dyn Session| {
            let mut page = lists::page(session, &query, slice)?;
            names::fill_subject_names(session, &mut page.items)?;
            Ok(page)
        };
        self.database.read(page).await
    }

    async fn record_event(&self, action: &str, subject: &str, audit: &AuditContext) -> Result<()> {
        let (action, subject, audit) = (action.to_owned(), subject.to_owned(), audit.clone());
        self.database.write(move |session| record(session, &action, &subject, &audit)).await
    }
}
