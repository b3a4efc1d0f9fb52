//! All naughty strings in every text position of every operation.

use crate::api::naughty_strings::{StringsPerPosition, sweep};
use crate::harness::{Database, on_each_database};

async fn naughty_strings_never_cause_a_5xx_anywhere(database: Database) {
    let requests = sweep(database, StringsPerPosition::All).await;
    println!("measured: {requests} requests with a naughty string, answered with 2xx or 4xx");
}
on_each_database!(
    #[ignore = "takes minutes; run with `cargo xtask torture`"]
    naughty_strings_never_cause_a_5xx_anywhere
);
