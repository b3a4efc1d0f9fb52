//! Every string of the big list of naughty strings in every place of every operation where a text may stand.

use crate::api::naughty::{Share, sweep};
use crate::harness::{Database, on_each_database};

async fn no_string_makes_a_failure_in_any_place(database: Database) {
    let requests = sweep(database, Share::All).await;
    println!("measured: {requests} requests with a naughty string, answered with 2xx or 4xx");
}
on_each_database!(
    #[ignore = "minutes: run it by `cargo xtask torture`"]
    no_string_makes_a_failure_in_any_place
);
