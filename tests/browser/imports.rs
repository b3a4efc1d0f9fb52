//! Importing a CSV file.

use leadscribe_engine::api::Role;

use super::journey;
use super::login::log_in;

/// Three rows that are right and two that are not: a day that doesn't exist, and an answer that is neither yes nor no.
const CSV: &str = "\
original_identifier,first_name,last_name,phone,country,city,birthdate,do_not_call,custom.tier
shop-1,Ada,Import-Test,+49 30 901820,DE,Berlin,1985-12-10,false,gold
shop-2,Bea,Import-Test,,DE,Berlin,2026-02-30,false,gold
shop-3,Cyd,Import-Test,020 7946 0018,GB,London,,true,
shop-4,Dov,Import-Test,,IL,Haifa,,perhaps,silver
shop-5,Eva,\"Import-Test\",,SE,Lund,1990-02-28,,\"gold, \"\"red\"\"\"
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_goes_in_but_for_its_bad_rows_which_say_why() {
    journey("import", async |page, server| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("autumn leads.csv");
        std::fs::write(&file, CSV).unwrap();
        log_in(page, server, Role::Manager, "/imports").await;
        page.click("[data-test=import-leads]").await;
        page.until("the file can be picked", async || {
            page.hand_file("[data-test=import-file]", &file).await.then_some(())
        })
        .await;

        page.see("[data-test=import-state][data-state=completed]").await;
        for (tile, count) in [("read", "5"), ("inserted", "3"), ("updated", "0"), ("unchanged", "0"), ("rejected", "2")]
        {
            page.shows(&format!("[data-test=import-{tile}]"), count).await;
        }
        page.see("[data-test=rejected-row]").await;
        let rows = page.texts("[data-test=rejected-row]").await;
        assert_eq!(rows.len(), 2, "{rows:?}");
        for (row, parts) in
            rows.iter().zip([["3", "birthdate", "no day 30 in February"], ["5", "do_not_call", "found \"perhaps\""]])
        {
            for part in parts {
                assert!(row.contains(part), "{part:?} is missing in {row:?}");
            }
        }
        page.shows("[data-test=import-row] .link-button", "autumn leads.csv").await;

        // The file of the refused rows is what a person mends and imports again.
        let refused = page.see("[data-test=rejected-csv]").await.prop("href").await.unwrap().unwrap();
        let path = refused.strip_prefix(server.base()).unwrap().to_owned();
        let refused = server.admin().get(&path).await;
        assert_eq!(refused.status, 200);
        assert!(refused.text().contains("Bea,Import-Test") && !refused.text().contains("Ada,Import-Test"));

        page.open("/leads").await;
        page.see("[data-test=lead-row]").await;
        page.fill("[data-test=filter-json]", r#"{"last_name":"Import-Test","_order":["first_name"]}"#).await;
        page.click("[data-test=apply]").await;
        page.shows("[data-test=total]", "3 leads").await;
        assert_eq!(
            page.texts("[data-test=lead-row] a.row-link").await,
            ["Ada Import-Test", "Cyd Import-Test", "Eva Import-Test"]
        );
    })
    .await;
}
