//! Saved views.

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{Diagnostic, Location, Message, account};

use super::input_format::InputFormat;
use super::record::check_version;
use super::{Database, Row, Session, SqlStore, audit, binds, ids};
use crate::storage::{AuditContext, MAX_VIEWS_PER_OWNER, Result, StoreError, ViewStore, Viewer, WriteError};

/// Columns that [`read_view`] reads.
const SELECT_VIEWS: &str =
    "SELECT v.id, v.name, v.filter, v.dates, v.columns, v.shared, v.owner_id, u.email, v.created_at, v.updated_at
     FROM saved_views v LEFT JOIN users u ON u.id = v.owner_id";

/// Columns of a new view.
const INSERT_COLUMNS: [&str; 9] =
    ["id", "name", "filter", "dates", "columns", "shared", "owner_id", "created_at", "updated_at"];

/// Condition: the user bound to `?1` can see the view.
const VISIBLE_CONDITION: &str = "(v.shared OR v.owner_id = ?1)";

fn read_view(row: &dyn Row) -> Result<SavedView> {
    Ok(SavedView {
        id: ViewId(row.get(0)?),
        name: row.get(1)?,
        filter: row.get(2)?,
        dates: row.get(3)?,
        columns: row.get(4)?,
        shared: row.get(5)?,
        owner_id: row.get::<Option<i64>>(6)?.map(UserId),
        owner: row.get(7)?,
        created_at: row.get(8)?,
        updated_at: row.get(9)?,
    })
}

fn find(session: &dyn Session, id: ViewId, user: UserId) -> Result<Option<SavedView>> {
    session.find(&format!("{SELECT_VIEWS} WHERE {VISIBLE_CONDITION} AND v.id = ?2"), &binds![user.0, id.0], read_view)
}

/// Finds a view, also one that the caller can't see.
pub(super) fn find_of_any_owner(session: &dyn Session, id: ViewId) -> Result<Option<SavedView>> {
    session.find(&format!("{SELECT_VIEWS} WHERE v.id = ?1"), &binds![id.0], read_view)
}

/// Checks that the owner has no other view with this name.
fn check_name_is_free(
    session: &dyn Session,
    name: &str,
    owner: UserId,
    except: Option<ViewId>,
) -> Result<(), WriteError> {
    let sql = "SELECT 1 FROM saved_views WHERE owner_id = ?1 AND name = ?2 AND id <> ?3";
    if session.exists(sql, &binds![owner.0, name, except.map_or(0, |id| id.0)])? {
        return Err(InputFormat::Body.refuse("name", "taken", account::view_name_taken()));
    }
    Ok(())
}

fn role_required_error(location: Location, message: Message) -> WriteError {
    WriteError::Refused(Diagnostic::new(location, "role_required", message).suggest(account::save_own_view()))
}

/// Checks the right to share, because shared views appear in every user's list.
fn check_sharing(is_shared: bool, viewer: Viewer) -> Result<(), WriteError> {
    if !is_shared || viewer.can_share {
        return Ok(());
    }
    Err(role_required_error(InputFormat::Body.location("shared"), account::sharing_needs_manager()))
}

/// Creates a view, with its former id if it had one.
fn create(
    session: &dyn Session,
    former_id: Option<ViewId>,
    new: &ViewRequest,
    viewer: Viewer,
    audit: &AuditContext,
) -> Result<SavedView, WriteError> {
    check_sharing(new.shared, viewer)?;
    check_name_is_free(session, &new.name, viewer.id, None)?;
    let count: i64 =
        session.query_value("SELECT count(*) FROM saved_views WHERE owner_id = ?1", &binds![viewer.id.0])?;
    if count >= MAX_VIEWS_PER_OWNER {
        let message = account::too_many_views(MAX_VIEWS_PER_OWNER, count);
        let diagnostic = Diagnostic::new(Location::default(), "too_many", message);
        return Err(WriteError::Refused(diagnostic.suggest(account::delete_one_first())));
    }
    let former_id = ids::new_id(former_id.map_or(0, |id| id.0));
    let binds =
        binds![former_id, new.name, new.filter, new.dates, new.columns, new.shared, viewer.id.0, audit.at, audit.at];
    let id = ViewId(ids::insert(session, "saved_views", &INSERT_COLUMNS, &binds)?);
    audit::record(session, "view.create", &id.subject(), audit)?;
    find(session, id, viewer.id)?
        .ok_or_else(|| StoreError::Failed("a view disappeared after it was created".into()).into())
}

/// True if this user deleted the view, so that it can be restored under the same id and old links work again.
fn was_deleted_by(session: &dyn Session, id: ViewId, audit: &AuditContext) -> Result<bool> {
    if session.exists("SELECT 1 FROM saved_views WHERE id = ?1", &binds![id.0])? {
        return Ok(false);
    }
    // Ids are never reused, so the audit entry is about this view.
    let sql = "SELECT 1 FROM audit_log WHERE subject = ?1 AND action = 'view.delete' AND actor = ?2";
    session.exists(sql, &binds![id.subject(), audit.actor])
}

/// Returns the view if the viewer can see it. Refused if the viewer may not change it.
fn find_to_change(session: &dyn Session, id: ViewId, viewer: Viewer) -> Result<Option<SavedView>, WriteError> {
    let Some(found) = find(session, id, viewer.id)? else { return Ok(None) };
    if viewer.can_share || found.owner_id == Some(viewer.id) {
        return Ok(Some(found));
    }
    Err(role_required_error(Location::default(), account::changing_needs_manager()))
}

fn update(
    session: &dyn Session,
    id: ViewId,
    change: &ViewRequest,
    viewer: Viewer,
    expected_versions: Option<&[Timestamp]>,
    audit: &AuditContext,
) -> Result<Option<SavedView>, WriteError> {
    let Some(old) = find_to_change(session, id, viewer)? else {
        let can_restore = expected_versions.is_none() && was_deleted_by(session, id, audit)?;
        return if can_restore { Ok(Some(create(session, Some(id), change, viewer, audit)?)) } else { Ok(None) };
    };
    check_version(Some(old.updated_at), expected_versions)?;
    check_sharing(change.shared && !old.shared, viewer)?;
    let ViewRequest { name, filter, dates, columns, shared } = change.clone();
    let owner = old.owner_id.unwrap_or(viewer.id);
    let new = SavedView { name, filter, dates, columns, shared, ..old.clone() };
    if new == old {
        return Ok(Some(old));
    }
    check_name_is_free(session, &new.name, owner, Some(id))?;
    session.execute(
        "UPDATE saved_views SET name = ?2, filter = ?3, dates = ?4, columns = ?5, shared = ?6, owner_id = ?7, updated_at = ?8
         WHERE id = ?1",
        &binds![id.0, new.name, new.filter, new.dates, new.columns, new.shared, owner.0, audit.at],
    )?;
    audit::record(session, "view.update", &id.subject(), audit)?;
    // Unsharing another user's view hides it from the caller. The caller still gets the result.
    Ok(find_of_any_owner(session, id)?)
}

fn delete(
    session: &dyn Session,
    id: ViewId,
    viewer: Viewer,
    expected_versions: Option<&[Timestamp]>,
    audit: &AuditContext,
) -> Result<bool, WriteError> {
    let Some(view) = find_to_change(session, id, viewer)? else { return Ok(false) };
    check_version(Some(view.updated_at), expected_versions)?;
    session.execute("DELETE FROM saved_views WHERE id = ?1", &binds![id.0])?;
    audit::record(session, "view.delete", &id.subject(), audit)?;
    Ok(true)
}

/// Deletes a user's private views, before the user is deleted.
pub(super) fn delete_private_views(session: &dyn Session, owner: UserId) -> Result<()> {
    session.execute("DELETE FROM saved_views WHERE owner_id = ?1 AND NOT shared", &binds![owner.0])?;
    Ok(())
}

super::idempotency::created_record!(SavedView, ViewId, created_at, find_of_any_owner);

#[async_trait]
impl<D: Database> ViewStore for SqlStore<D> {
    async fn views(&self, user: UserId) -> Result<Vec<SavedView>> {
        self.database
            .read(move |session| {
                session.query(&format!("{SELECT_VIEWS} WHERE {VISIBLE_CONDITION}"), &binds![user.0], read_view)
            })
            .await
    }

    async fn view(&self, id: ViewId, user: UserId) -> Result<Option<SavedView>> {
        self.database.read(move |session| find(session, id, user)).await
    }

    async fn create_view(
        &self,
        view: &ViewRequest,
        viewer: Viewer,
        audit: &AuditContext,
    ) -> Result<SavedView, WriteError> {
        let (view, own_audit) = (view.clone(), audit.clone());
        self.create_record(audit, move |session| create(session, None, &view, viewer, &own_audit)).await
    }

    async fn update_view(
        &self,
        id: ViewId,
        view: &ViewRequest,
        viewer: Viewer,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<Option<SavedView>, WriteError> {
        let (view, audit) = (view.clone(), audit.clone());
        self.database
            .write(move |session| update(session, id, &view, viewer, expected_versions.as_deref(), &audit))
            .await
    }

    async fn delete_view(
        &self,
        id: ViewId,
        viewer: Viewer,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<bool, WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| delete(session, id, viewer, expected_versions.as_deref(), &audit)).await
    }
}
