//! Sync: kill -9 while clients write and another client follows the changes, then compare its copy with the database.

use std::time::Duration;

use crate::harness::{Database, on_each_database};
use crate::torture::sync::check_sync;

async fn copy_equals_the_database(database: Database) {
    check_sync(database, Duration::from_secs(6)).await;
}
on_each_database!(copy_equals_the_database);
