//! The audit log.

mod names;

use async_trait::async_trait;
use leadscribe_engine::api::{AuditEntry, AuditId, AuditOrder, LeadId, Order, Page, is_audited};

use super::lists::{self, Key, Kind, List};
use super::rows::slice_binds;
use super::{Bind, Database, Row, Session, SqlStore, binds, ids};
use crate::storage::filter_sql::Sql;
use crate::storage::{AuditQuery, AuditStore, Origin, Slice, StoreError};

/// Adds an entry to the audit log, in the transaction that makes the change.
pub(super) fn record(session: &dyn Session, action: &str, subject: &str, by: &Origin) -> Result<(), StoreError> {
    debug_assert!(is_audited(action), "{action} is in no filter of the log");
    session.execute(
        "INSERT INTO audit_log (at, actor, action, subject, request_id) VALUES (?1, ?2, ?3, ?4, ?5)",
        &binds![by.at, by.actor, action, subject, by.request_id],
    )?;
    Ok(())
}

/// Subject of a change and the changed fields, by their API names. `fields` is empty for creations and deletions.
pub(super) struct Changed {
    pub subject: String,
    pub fields: Vec<String>,
}

/// Adds entries for several changes of the same kind.
pub(super) fn record_changes(
    session: &dyn Session,
    action: &str,
    changes: &[Changed],
    by: &Origin,
) -> Result<(), StoreError> {
    debug_assert!(is_audited(action), "{action} is in no filter of the log");
    let rows: Vec<_> = changes
        .iter()
        .map(|Changed { subject, fields }| {
            let fields = if fields.is_empty() { Bind::Null } else { Bind::json(fields) };
            binds![Bind::Null, by.at, by.actor, action, *subject, by.request_id, fields].to_vec()
        })
        .collect();
    let columns = ["id", "at", "actor", "action", "subject", "request_id", "fields"];
    ids::insert_many(session, "audit_log", &columns, &rows)
}

/// Columns that [`entry`] reads. Names of subjects are looked up separately, many at a time.
const COLUMNS: &str = "id, at, actor, action, subject, request_id, fields";

fn entry(row: &dyn Row) -> Result<AuditEntry, StoreError> {
    Ok(AuditEntry {
        id: AuditId(row.get(0)?),
        at: row.get(1)?,
        actor: row.get(2)?,
        action: row.get(3)?,
        subject: row.get(4)?,
        subject_name: None,
        request_id: row.get(5)?,
        fields: row.json_or_null(6)?.unwrap_or_default(),
    })
}

impl List for AuditQuery {
    type By = AuditOrder;
    type Row = AuditEntry;
    const FROM: &'static str = "audit_log";
    const ID: &'static str = "id";
    const COLUMNS: &'static str = COLUMNS;

    fn order(&self) -> Order<AuditOrder> {
        self.order
    }

    fn key(&self, by: AuditOrder, _sql: &Sql) -> Key {
        match by {
            AuditOrder::Id => Key::new(Kind::Integer, Self::ID),
            AuditOrder::At => Key::new(Kind::Time, "at"),
            AuditOrder::Actor => Key::new(Kind::Text, "actor"),
            AuditOrder::Action => Key::new(Kind::Text, "action"),
            AuditOrder::Subject => Key::new(Kind::Text, "subject"),
        }
    }

    fn push_conditions(&self, sql: &mut Sql) {
        // A kind matches all values that start with its name and the mark: the range up to the character after the mark.
        for (column, value, mark, after) in
            [("actor", &self.actor, ':', ';'), ("action", &self.action, '.', '/'), ("subject", &self.subject, ':', ';')]
        {
            let Some(value) = value else { continue };
            let text = |mark: char| Bind::Text(format!("{value}{mark}"));
            sql.push(" AND (").push(column).push(" = ").bind(Bind::Text(value.clone()));
            sql.push(" OR ").push(column).push(" >= ").bind(text(mark));
            sql.push(" AND ").push(column).push(" < ").bind(text(after)).push(")");
        }
        for (condition, moment) in [(" AND at >= ", self.from), (" AND at <= ", self.till)] {
            if let Some(moment) = moment {
                sql.push(condition).bind(Bind::Time(moment));
            }
        }
    }

    fn read(&self, row: &dyn Row) -> Result<AuditEntry, StoreError> {
        entry(row)
    }

    fn id(row: &AuditEntry) -> i64 {
        row.id.0
    }

    fn entries(session: &dyn Session, mut rows: Vec<AuditEntry>) -> Result<Vec<AuditEntry>, StoreError> {
        names::look_up(session, &mut rows)?;
        Ok(rows)
    }
}

/// Entries about a lead and its campaign leads, newest first. Includes the imports that created or changed them, for as long as those
/// changes are kept.
pub(super) fn of_lead(session: &dyn Session, id: LeadId, slice: Slice) -> Result<Page<AuditEntry>, StoreError> {
    // Complete subjects, so that the index on subject is used. The changes of an import are counted by the index that starts with the
    // import: there are few imports, but many changes.
    const OF_LEAD: &str = "FROM audit_log WHERE subject IN (SELECT ?1 UNION ALL \
         SELECT 'campaign_lead:' || c.id FROM campaign_leads c WHERE c.lead_id = ?2 UNION ALL \
         SELECT 'import:' || i.id FROM import_undos u JOIN imports i ON i.id = u.import_id WHERE \
             (SELECT count(*) FROM undo_journal h WHERE h.import_id = i.id AND h.kind = 'leads' AND h.row_id = ?2) > 0 \
             OR (SELECT count(*) FROM campaign_leads c JOIN undo_journal h ON h.row_id = c.id \
                 WHERE c.lead_id = ?2 AND h.import_id = i.id AND h.kind = 'campaign-leads') > 0)";
    let subject = id.subject();
    let total = session.value(&format!("SELECT count(*) {OF_LEAD}"), &binds![subject, id.0])?;
    let sql = format!("SELECT {COLUMNS} {OF_LEAD} ORDER BY id DESC LIMIT ?3 OFFSET ?4");
    let [limit, offset] = slice_binds(slice);
    let mut items = session.query(&sql, &[Bind::Text(subject), Bind::from(&id.0), limit, offset], entry)?;
    names::look_up(session, &mut items)?;
    Ok(Page { items, total })
}

#[async_trait]
impl<D: Database> AuditStore for SqlStore<D> {
    async fn audit_log(&self, query: &AuditQuery, slice: Slice) -> Result<Page<AuditEntry>, StoreError> {
        let query = query.clone();
        let page = move |session: &dyn Session| {
            let mut page = lists::page(session, &query, slice)?;
            names::look_up(session, &mut page.items)?;
            Ok(page)
        };
        self.database.read(page).await
    }

    async fn note(&self, action: &str, subject: &str, by: &Origin) -> Result<(), StoreError> {
        let (action, subject, by) = (action.to_owned(), subject.to_owned(), by.clone());
        self.database.write(move |session| record(session, &action, &subject, &by)).await
    }
}
