//! Schema: checks whether it may be created here, and migrates it.

use postgres::Client;
use postgres::error::SqlState;

use super::connection::{Connection, row_texts};
use super::error::OpenError;
use super::target::Target;
use crate::storage::snapshot::NewerSchema;

mod embedded {
    refinery::embed_migrations!("migrations/postgres");
}

/// Advisory lock of the database, held during the migration: `leadscri` in ASCII.
const MIGRATION_LOCK: i64 = 0x6c65_6164_7363_7269;

/// Maximum number of other programs' tables that the error names.
const MAX_LISTED_TABLES: usize = 3;

/// Newest schema version that this program knows.
pub(super) fn newest_version() -> i64 {
    let runner = embedded::migrations::runner();
    runner.get_migrations().iter().map(|migration| i64::from(migration.version())).max().unwrap_or(0)
}

/// Migrates the schema in one transaction. If several processes start at the same time, one migrates and the others wait. Blocks.
pub(super) fn migrate(target: &Target) -> Result<(), OpenError> {
    let mut client = connect_and_lock(target)?;
    check_database(&mut client)?;
    let runner = embedded::migrations::runner().set_grouped(true).set_abort_missing(true).set_abort_divergent(true);
    runner.run(&mut client).map(|_| ()).map_err(OpenError::Migration)
}

/// Connection without a statement timeout that holds the lock until it is closed.
fn connect_and_lock(target: &Target) -> Result<Client, OpenError> {
    let mut client = Connection::open(target)?.client;
    client.batch_execute("SET statement_timeout = 0; SET lock_timeout = 0")?;
    match client.batch_execute(&format!("SELECT pg_advisory_lock({MIGRATION_LOCK})")) {
        // The database has no advisory locks.
        Err(error)
            if [SqlState::UNDEFINED_FUNCTION, SqlState::FEATURE_NOT_SUPPORTED]
                .iter()
                .any(|code| error.code() == Some(code)) => {}
        result => result?,
    }
    Ok(client)
}

/// Checks that the database can store the tables, that the user may create them, and that no other program's tables are there.
fn check_database(client: &mut Client) -> Result<(), OpenError> {
    let response = client.simple_query(
        "SELECT current_setting('server_encoding', true), current_schema(), current_user,
             CAST(has_schema_privilege(current_schema(), 'CREATE') AS TEXT)",
    )?;
    let [encoding, schema, user, can_create] = row_texts(&response);
    if let Some(encoding) = encoding.filter(|encoding| encoding != "UTF8") {
        return Err(OpenError::Encoding(encoding));
    }
    let user = user.unwrap_or_default();
    let Some(schema) = schema else { return Err(OpenError::NoSchema { user }) };
    if can_create.as_deref() == Some("false") {
        return Err(OpenError::MissingPrivilege { user, schema });
    }
    let history = client.query_one(
        "SELECT EXISTS (SELECT 1 FROM pg_class
             WHERE relnamespace = CAST(current_schema() AS regnamespace) AND relname = 'refinery_schema_history')",
        &[],
    )?;
    if history.get(0) {
        return check_history(client, &schema);
    }
    // Tables of extensions are ignored.
    let foreign_tables = client.query(
        "SELECT CAST(relname AS TEXT) FROM pg_class c
         WHERE relnamespace = CAST(current_schema() AS regnamespace) AND relkind IN ('r', 'p', 'v', 'm', 'f')
             AND NOT EXISTS (SELECT 1 FROM pg_depend d
                 WHERE d.classid = CAST('pg_class' AS regclass) AND d.objid = c.oid AND d.deptype = 'e')
         ORDER BY relname",
        &[],
    )?;
    check_no_foreign_tables(schema, &foreign_tables.iter().map(|row| row.get(0)).collect::<Vec<String>>())
}

/// Checks that this program migrated the schema, and not a newer version or another program with the same migration tool.
fn check_history(client: &mut Client, schema: &str) -> Result<(), OpenError> {
    let runner = embedded::migrations::runner();
    let applied = client.query("SELECT version, name FROM refinery_schema_history ORDER BY version", &[])?;
    for row in &applied {
        let (version, name) = (row.get::<_, i32>(0), row.get::<_, String>(1));
        let known_migration = runner.get_migrations().iter().find(|migration| migration.version() == version);
        if known_migration.is_some_and(|known_migration| known_migration.name() != name) {
            return check_no_foreign_tables(schema.to_owned(), &["refinery_schema_history".to_owned()]);
        }
    }
    let found = applied.last().map_or(0, |newest| i64::from(newest.get::<_, i32>(0)));
    Ok(NewerSchema::check(found, newest_version())?)
}

fn check_no_foreign_tables(schema: String, foreign_tables: &[String]) -> Result<(), OpenError> {
    if foreign_tables.is_empty() {
        return Ok(());
    }
    let mut tables = foreign_tables.iter().take(MAX_LISTED_TABLES).map(String::as_str).collect::<Vec<_>>().join(", ");
    if foreign_tables.len() > MAX_LISTED_TABLES {
        tables = format!("{tables} and {} more", foreign_tables.len() - MAX_LISTED_TABLES);
    }
    Err(OpenError::ForeignTables { schema, tables })
}

/// Migrates a new database to an old schema version; for upgrade tests.
#[cfg(test)]
pub(super) fn migrate_to(target: &Target, version: i32) -> Result<(), OpenError> {
    let mut client = connect_and_lock(target)?;
    let runner = embedded::migrations::runner().set_target(refinery::Target::Version(version));
    runner.run(&mut client).map(|_| ()).map_err(OpenError::Migration)
}
