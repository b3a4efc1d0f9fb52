//! Shared code for reading lists. Each list only defines its columns, tables, conditions and sort keys.

use std::collections::HashMap;

use async_trait::async_trait;
use leadscribe_engine::api::{ListOrder, Order, Page};
use leadscribe_engine::filter::predicate::{Cursor, Value};

use super::rows::slice_binds;
use super::{Bind, Database, Row, Session, SqlStore};
use crate::storage::filter_sql::{SortKey, SqlBuilder};
use crate::storage::{ExportStore, ListPositions, ListQuery, Result, Slice};

/// Type of a sort key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyType {
    Integer,
    Number,
    Text,
    Boolean,
    Time,
}

/// Sort key of a list.
#[derive(Clone, Debug)]
pub(super) struct ListKey {
    kind: KeyType,
    expression: String,
    nullable: bool,
}

impl ListKey {
    /// Sort key that is never null.
    pub fn new(kind: KeyType, expression: impl Into<String>) -> Self {
        Self { kind, expression: expression.into(), nullable: false }
    }

    /// Sort key that may be null.
    pub fn nullable(kind: KeyType, expression: impl Into<String>) -> Self {
        Self { nullable: true, ..Self::new(kind, expression) }
    }

    /// Value of the key in this column of a row.
    fn value(&self, row: &dyn Row, column: usize) -> Result<Option<Value>> {
        Ok(match self.kind {
            KeyType::Integer => row.integer(column)?.map(Value::Integer),
            KeyType::Number => row.number(column)?.map(Value::Number),
            KeyType::Text => row.text(column)?.map(Value::Text),
            KeyType::Boolean => row.boolean(column)?.map(Value::Boolean),
            KeyType::Time => row.time(column)?.map(Value::Time),
        })
    }
}

/// A list in SQL.
pub(super) trait List: ListQuery {
    /// Fields that the list can be sorted by.
    type SortField: ListOrder;
    type Row: Send + 'static;
    /// Tables of the list, as a `FROM` clause.
    const FROM: &'static str;
    /// Column with the id of a row.
    const ID: &'static str;
    /// Columns that [`List::read`] reads.
    const COLUMNS: &'static str;

    /// Requested order.
    fn order(&self) -> Order<Self::SortField>;
    /// SQL expression of a field; for the id it must be [`List::ID`].
    fn key(&self, field: Self::SortField, sql: &SqlBuilder) -> ListKey;
    /// Adds the conditions, each preceded by ` AND `.
    fn push_conditions(&self, sql: &mut SqlBuilder);
    fn read(&self, row: &dyn Row) -> Result<Self::Row>;
    fn id(row: &Self::Row) -> i64;
    /// Exported entries for rows.
    fn entries(session: &dyn Session, rows: Vec<Self::Row>) -> Result<Vec<Self::Entry>>;
}

/// Adds the query from `FROM` on, with its conditions.
fn push_matching<L: List>(sql: &mut SqlBuilder, query: &L) {
    sql.push(" FROM ").push(L::FROM).push(" WHERE TRUE");
    query.push_conditions(sql);
}

/// Sort keys: the requested field, then the id unless that is the requested field.
fn list_keys<L: List>(query: &L, sql: &SqlBuilder) -> Vec<ListKey> {
    let key = query.key(query.order().by, sql);
    let id = ListKey::new(KeyType::Integer, L::ID);
    if key.expression == id.expression { vec![id] } else { vec![key, id] }
}

fn sort_keys<L: List>(query: &L, keys: &[ListKey]) -> Vec<SortKey> {
    let descending = query.order().descending;
    let sort_key = |key: &ListKey| SortKey { expression: key.expression.clone(), nullable: key.nullable, descending };
    keys.iter().map(sort_key).collect()
}

/// Query for `columns` of a slice of the matches.
fn slice_query<L: List>(session: &dyn Session, columns: &str, query: &L, slice: Slice) -> SqlBuilder {
    let mut sql = SqlBuilder::new(session.dialect());
    sql.push("SELECT ").push(columns);
    push_matching(&mut sql, query);
    let keys = list_keys(query, &sql);
    let [limit, offset] = slice_binds(slice);
    sql.push_order_by(&sort_keys(query, &keys)).push(" LIMIT ").push_bind(limit).push(" OFFSET ").push_bind(offset);
    sql
}

/// Slice of the matches.
pub(super) fn page<L: List>(session: &dyn Session, query: &L, slice: Slice) -> Result<Page<L::Row>> {
    let total = count_total(session, query)?;
    let (sql, binds) = slice_query(session, L::COLUMNS, query, slice).finish();
    let items = session.query(&sql, &binds, |row| query.read(row))?;
    Ok(Page { items, total })
}

/// Number of matches.
pub(super) fn count_total<L: List>(session: &dyn Session, query: &L) -> Result<u64> {
    let mut sql = SqlBuilder::new(session.dialect());
    push_matching(sql.push("SELECT count(*)"), query);
    let (sql, binds) = sql.finish();
    session.query_value(&sql, &binds)
}

/// Ids of a slice of the matches.
pub(super) fn ids<L: List>(session: &dyn Session, query: &L, slice: Slice) -> Result<Vec<i64>> {
    let (sql, binds) = slice_query(session, L::ID, query, slice).finish();
    session.query(&sql, &binds, |row| row.get(0))
}

fn positions<L: List>(session: &dyn Session, query: &L, after: &Cursor, limit: u32) -> Result<ListPositions> {
    let mut sql = SqlBuilder::new(session.dialect());
    let keys = list_keys(query, &sql);
    sql.push("SELECT ").push(L::ID);
    for key in &keys {
        sql.push(", ").push(&key.expression);
    }
    push_matching(&mut sql, query);
    let sort_keys = sort_keys(query, &keys);
    sql.push(" AND ").push_after(&sort_keys, after);
    sql.push_order_by(&sort_keys).push(" LIMIT ").push_bind(Bind::from(&limit));
    let (sql, binds) = sql.finish();
    let mut last = Vec::new();
    let ids = session.query(&sql, &binds, |row| {
        last = keys.iter().zip(1..).map(|(key, column)| key.value(row, column)).collect::<Result<_, _>>()?;
        row.get(0)
    })?;
    let next = (ids.len() == limit as usize && !ids.is_empty()).then_some(Cursor::After(last));
    Ok(ListPositions { ids, next })
}

fn entries<L: List>(session: &dyn Session, query: &L, ids: &[i64]) -> Result<Vec<L::Entry>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = SqlBuilder::new(session.dialect());
    sql.push("SELECT ").push(L::COLUMNS);
    push_matching(&mut sql, query);
    sql.push(" AND ").push_any_of(L::ID, ids.iter().map(|id| Bind::Integer(*id)).collect());
    let (sql, binds) = sql.finish();
    let rows = session.query(&sql, &binds, |row| query.read(row))?;
    let mut rows_by_id: HashMap<_, _> = rows.into_iter().map(|row| (L::id(&row), row)).collect();
    L::entries(session, ids.iter().filter_map(|id| rows_by_id.remove(id)).collect())
}

#[async_trait]
impl<D: Database, L: List> ExportStore<L> for SqlStore<D> {
    async fn positions(&self, query: &L, after: &Cursor, limit: u32) -> Result<ListPositions> {
        let (query, after) = (query.clone(), after.clone());
        self.database.read(move |session| positions(session, &query, &after, limit)).await
    }

    async fn entries(&self, query: &L, ids: &[i64]) -> Result<Vec<L::Entry>> {
        let (query, ids) = (query.clone(), ids.to_vec());
        self.database.read(move |session| entries(session, &query, &ids)).await
    }
}
