//! CSV imports.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::journey;
use super::login::log_in;
use super::page::Page;
use super::past_imports::imported;

/// Three valid rows and two invalid ones: a day that doesn't exist, and an invalid boolean.
const CSV: &str = "\
original_identifier,first_name,last_name,phone,country,city,birthdate,do_not_call,custom.tier
shop-1,Ada,Import-Test,+49 30 901820,DE,Berlin,1985-12-10,false,gold
shop-2,Bea,Import-Test,,DE,Berlin,2026-02-30,false,gold
shop-3,Cyd,Import-Test,020 7946 0018,GB,London,,true,
shop-4,Dov,Import-Test,,IL,Haifa,,perhaps,silver
shop-5,Eva,\"Import-Test\",,SE,Lund,1990-02-28,,\"gold, \"\"red\"\"\"
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn imports_valid_rows_and_explains_rejected_ones() {
    journey("import", async |page, server| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("autumn leads.csv");
        std::fs::write(&file, CSV).unwrap();
        log_in(page, server, Role::Manager, "/imports").await;
        page.click("[data-test=import-leads]").await;
        page.hand_file("[data-test=import-file]", &file).await;
        // The browser must not open a file that is dropped next to the field.
        let is_held = "return ['dragover', 'drop'].every(name =>
            !document.body.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true })))";
        assert_eq!(page.run(is_held, Value::Null).await, json!(true));
        page.click("[data-test=import-start]").await;

        page.see("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
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
        // Faults use the file's column names.
        let faulty = page.texts("[data-test=rejected-row] .chip").await;
        assert_eq!(faulty, ["birthdate", "do_not_call"]);
        page.shows("[data-test=import-row] .link-button", "autumn leads.csv").await;

        // The user corrects the file of rejected rows and imports it again.
        let refused = page.see("[data-test=rejected-csv]").await.prop("href").await.unwrap().unwrap();
        let path = refused.strip_prefix(server.base()).unwrap().to_owned();
        let refused = server.admin().get(&path).await;
        assert_eq!(refused.status, 200);
        assert!(refused.text().contains("Bea,Import-Test") && !refused.text().contains("Ada,Import-Test"));

        page.open("/leads").await;
        page.see("[data-test=lead-row]").await;
        page.fill_filter(r#"{"last_name":"Import-Test","_order":["first_name"]}"#).await;
        page.click("[data-test=apply]").await;
        page.shows("[data-test=total]", "3 leads").await;
        assert_eq!(
            page.texts("[data-test=lead-row] a.row-link").await,
            ["Ada Import-Test", "Cyd Import-Test", "Eva Import-Test"]
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_without_a_country_get_the_default_country() {
    journey("import-numbers", async |page, server| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("numbers.csv");
        let rows = "shop-1,Ada,030 901820\nshop-2,Bea,030 901821\nshop-3,Cyd,call me\nshop-4,Dov,+44 20 7946 0018\n";
        std::fs::write(&file, format!("original_identifier,first_name,phone\n{rows}")).unwrap();
        log_in(page, server, Role::Manager, "/imports").await;
        page.hand_file("[data-test=import-file]", &file).await;
        let told = "[data-test=import-undialable] strong";
        page.click("[data-test=import-try]").await;
        page.shows(told, "3 rows have phone numbers that can’t be dialled.").await;

        // Choosing a country invalidates the dry run.
        page.choose("[data-test=import-country]", "DE").await;
        page.see_gone("[data-test=import-tried]").await;
        page.click("[data-test=import-try]").await;
        page.shows(told, "1 row has a phone number that can’t be dialled.").await;
        page.click("[data-test=import-start]").await;
        page.see("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
        page.shows(told, "1 row has a phone number that can’t be dialled.").await;
        let found =
            async |filter: Value| server.admin().put("/api/leads/extended-data", filter.to_string()).await.expect(200);
        let ada = found(json!({ "original_identifier": "shop-1" })).await;
        assert_eq!(ada["leads"][0]["phone_normalized"], "+4930901820");
        page.click("[data-test=import-undialable] a").await;
        page.see("[data-test=lead-row]").await;
        assert_eq!(page.texts("[data-test=lead-row] a.row-link").await[0], "Cyd");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn decimal_separator_is_detected_or_chosen() {
    journey("import-amounts", async |page, server| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("amounts.csv");
        let rows = "euro-1;1.999,90\neuro-2;1.234\neuro-3;12.5\n";
        std::fs::write(&file, format!("original_identifier;Kaufbetrag\n{rows}")).unwrap();
        log_in(page, server, Role::Manager, "/imports").await;
        page.hand_file("[data-test=import-file]", &file).await;
        // The first and last amount use different separators. The second is ambiguous and rejected.
        let chosen = async || page.see("[data-test=import-decimal]").await.prop("value").await.unwrap();
        assert_eq!(chosen().await.as_deref(), Some(""));
        page.shows("[data-test=faulty-cell]", "1.234").await;
        page.see("[data-test=decimal-needed]").await;
        page.choose("[data-test=import-decimal]", ",").await;
        page.see_gone("[data-test=decimal-needed]").await;
        page.shows("[data-test=faulty-cell]", "12.5").await;

        std::fs::write(&file, format!("original_identifier;Kaufbetrag\n{}", rows.replace("12.5", "12,5"))).unwrap();
        page.click("[data-test=other-file]").await;
        page.hand_file("[data-test=import-file]", &file).await;
        page.see("[data-test=preview-row]").await;
        assert_eq!(chosen().await.as_deref(), Some(","));
        page.click("[data-test=import-start]").await;
        page.see("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
        let filter = json!({ "original_identifier": { "starts_with": "euro-" }, "_order": ["original_identifier"] });
        let found = server.admin().put("/api/leads/extended-data", filter.to_string()).await.expect(200);
        let amounts: Vec<_> = (0..3).map(|row| found["leads"][row]["purchase_amount"].clone()).collect();
        assert_eq!(amounts, [json!(1999.9), json!(1234.0), json!(12.5)]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_key_column_is_reported_once() {
    journey("import-no-key", async |page, server| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("no-key.csv");
        std::fs::write(&file, "first_name,email\nAda,ada@example.com\nBob,bob\nCyd,cyd@example.com\n").unwrap();
        log_in(page, server, Role::Manager, "/imports").await;
        page.hand_file("[data-test=import-file]", &file).await;
        // The message uses the labels of the list, and no dry run is possible.
        let words = "Map a column to “Lead ID” or “Original identifier” to identify each row.";
        page.shows("[data-test=no-key]", words).await;
        assert_eq!(page.texts("[data-test=preview-faults] [data-test=fault]").await, [""; 0]);
        page.see("[data-test=import-try]:disabled").await;
        let rows = page.texts("[data-test=preview-row]").await;
        assert!(rows.len() == 3 && !rows.iter().any(|row| row.contains("original_identifier")), "{rows:?}");
        assert_eq!(page.texts("[data-test=faulty-cell]").await.len(), 1);
        page.choose("tr:nth-child(1) select[data-test=mapped-field]", "original_identifier").await;
        page.see("[data-test=import-try]:enabled").await;
        page.see_gone("[data-test=no-key]").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn identifier_can_be_built_from_a_column() {
    journey("import-known-by", async |page, server| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("fair.csv");
        let rows = "Vorname;Telefon\nAda;+49 30 901830\nBob;+49 30 901831\n;\n";
        std::fs::write(&file, rows).unwrap();
        log_in(page, server, Role::Manager, "/imports").await;
        page.hand_file("[data-test=import-file]", &file).await;
        page.see("[data-test=import-try]:disabled").await;
        page.choose("[data-test=import-identifier]", "Telefon").await;
        page.see_gone("[data-test=no-key]").await;
        page.click("[data-test=import-start]").await;
        page.see("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
        // A line of bare separators at the end, as spreadsheets write it, is ignored.
        page.shows("[data-test=import-read]", "2").await;
        page.shows("[data-test=import-inserted]", "2").await;

        // Importing the list again with a changed name finds the same leads.
        std::fs::write(&file, rows.replace("Bob", "Bobby")).unwrap();
        page.open("/imports").await;
        page.hand_file("[data-test=import-file]", &file).await;
        page.choose("[data-test=import-identifier]", "Telefon").await;
        page.click("[data-test=import-try]").await;
        for (tile, count) in [("inserted", "0"), ("updated", "1"), ("unchanged", "1")] {
            page.shows(&format!("[data-test=import-{tile}]"), count).await;
        }

        // Mapping a column to the identifier removes the choice.
        page.choose("tr:nth-child(2) select[data-test=mapped-field]", "original_identifier").await;
        page.see_gone("[data-test=import-identifier]").await;
    })
    .await;
}

/// A file of another system: foreign column names, semicolons, an unneeded column, an invalid address.
const FOREIGN: &str = "\
Kundennummer;Vorname;Nachname;Telefon;E-Mail;Farbe;Notiz
4711;Ada;Zuordnung;+49 30 901820;ada@example.com;rot;x
4712;Bob;Zuordnung;;bob;blau;
4713;Cyd;Zuordnung;;cyd@example.com;;
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn foreign_file_is_mapped_tried_and_imported() {
    journey("import-mapped", async |page, server| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("kunden.csv");
        std::fs::write(&file, FOREIGN).unwrap();
        log_in(page, server, Role::Manager, "/imports").await;
        page.hand_file("[data-test=import-file]", &file).await;

        // Most columns are mapped by name, and the preview of the file shows its faults.
        page.shows("[data-test=picked-file]", "kunden.csv").await;
        let values = "return [...document.querySelectorAll('select[data-test=mapped-field]')].map(e => e.value)";
        let guessed = page.run(values, ()).await;
        assert_eq!(guessed, json!(["original_identifier", "first_name", "last_name", "phone", "email", "", ""]));
        assert_eq!(page.texts("[data-test=preview-row]").await.len(), 3);
        let faulty = page.texts("[data-test=faulty-cell]").await;
        assert_eq!(faulty.len(), 1, "{faulty:?}");
        assert_eq!(faulty, ["bob"]);
        let why = page.texts("[data-test=preview-why]").await;
        assert!(why.len() == 1 && why[0].starts_with("E-Mail Expected an e-mail address"), "{why:?}");

        // Mapping a field twice is reported at the second column and disables the buttons.
        page.choose("tr:nth-child(6) select[data-test=mapped-field]", "email").await;
        page.see("tr:nth-child(6) [data-test=fault][data-code=duplicate_column]").await;
        page.see_gone("[data-test=preview-row] [role=img]").await;
        page.see("[data-test=import-start]:disabled").await;
        page.choose("tr:nth-child(6) select[data-test=mapped-field]", "").await;
        page.shows("[data-test=left-out]", "2 columns won't be imported: Farbe, Notiz").await;
        page.see("[data-test=mapped-column]:nth-child(6).is-left-out").await;
        page.choose("tr:nth-child(6) select[data-test=mapped-field]", "custom.Farbe").await;
        page.shows("[data-test=left-out]", "1 column won't be imported: Notiz").await;
        page.see("[data-test=import-start]:enabled").await;

        // The result is scrolled into view without jumping to the top of the page.
        let _ = page.run("document.querySelector('[data-test=import-try]').scrollIntoView()", ()).await;
        page.click("[data-test=import-try]").await;
        page.see("[data-test=import-tried] [data-test=import-state][data-state=completed]").await;
        page.see("#import-report:focus").await;
        let in_sight = "const e = document.querySelector('[data-test=import-tried] dl').getBoundingClientRect(); \
                        return scrollY > 0 && e.top >= 0 && e.bottom <= innerHeight";
        assert_eq!(page.run(in_sight, ()).await, json!(true));
        for (tile, count) in [("read", "3"), ("inserted", "2"), ("updated", "0"), ("unchanged", "0"), ("rejected", "1")]
        {
            page.shows(&format!("[data-test=import-tried] [data-test=import-{tile}]"), count).await;
        }
        let tried = page.texts("[data-test=rejected-row]").await;
        assert!(tried[0].contains("E-Mail") && tried[0].contains("4712"), "{tried:?}");
        let found = server.admin().put("/api/leads/extended-data", r#"{"last_name":"Zuordnung"}"#).await.expect(200);
        assert_eq!(found["total_leads"], 0);

        page.click("[data-test=import-start]").await;
        page.see("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
        page.shows("[data-test=import-report] [data-test=import-inserted]", "2").await;
        page.shows("[data-test=import-row] .link-button", "kunden.csv").await;
        let found =
            server.admin().put("/api/leads/extended-data", r#"{"original_identifier":"4711"}"#).await.expect(200);
        let lead = &found["leads"][0];
        assert_eq!(lead["custom_fields"]["Farbe"], "rot", "{lead}");
        assert_eq!((&lead["first_name"], &lead["phone_normalized"]), (&json!("Ada"), &json!("+4930901820")));

        // A file with the same columns reuses the last mapping, unless the user chooses the suggested one.
        std::fs::write(&file, "Farbe;Kundennummer;Vorname;Nachname;Telefon;E-Mail;Notiz\nrot;4711;Ada;Zuordnung;;;x\n")
            .unwrap();
        page.hand_file("[data-test=import-file]", &file).await;
        page.see("[data-test=as-before]").await;
        let told = page.text("[data-test=as-before]").await;
        assert!(told.starts_with("Same mapping as on "), "{told}");
        let as_before = ["custom.Farbe", "original_identifier", "first_name", "last_name", "phone", "email", ""];
        assert_eq!(page.run(values, ()).await, json!(as_before));
        page.click("[data-test=take-guess]").await;
        page.see_gone("[data-test=as-before]").await;
        page.see("#import-columns:focus").await;
        assert_eq!(page.run(values, ()).await[0], "");
    })
    .await;
}

/// Two calls as written by Asterisk's `cdr_csv`; the second has an unknown disposition.
const MASTER: &str = "\
\"\",\"101\",\"030901820\",\"x\",\"\",\"PJSIP/101-0000002a\",\"\",\"Dial\",\"\",\"2026-05-01 11:30:00\",,\"2026-05-01 11:30:07\",7,0,\"BUSY\",\"DOCUMENTATION\",\"1777627800.42\",\"\"
\"\",\"101\",\"030901821\",\"x\",\"\",\"PJSIP/101-0000002b\",\"\",\"Dial\",\"\",\"2026-05-01 11:31:00\",,\"2026-05-01 11:31:07\",7,0,\"GONE\",\"DOCUMENTATION\",\"1777627860.43\",\"\"
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn call_detail_records_are_detected_and_imported() {
    journey("import-asterisk", async |page, server| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Master.csv");
        std::fs::write(&file, MASTER).unwrap();
        log_in(page, server, Role::Manager, "/imports").await;
        page.hand_file("[data-test=import-file]", &file).await;
        page.see("[data-test=import-calls][aria-pressed=true]").await;
        page.see("[data-test=call-details]").await;
        let faulty = page.texts("[data-test=faulty-cell]").await;
        assert!(faulty.len() == 1 && faulty[0].contains("GONE"), "{faulty:?}");

        page.fill("#import-zone", "Europe/Berlim").await;
        page.see("[data-test=fault][data-code=unknown_time_zone]").await;
        page.see("[data-test=import-start]:disabled").await;
        page.fill("#import-zone", "Europe/Berlin").await;
        page.click("[data-test=import-start]").await;
        page.see("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
        page.shows("[data-test=import-report] [data-test=import-inserted]", "1").await;
        page.shows("[data-test=import-report] [data-test=import-rejected]", "1").await;
        let found = server.admin().get("/api/calls?original_identifier=1777627800.42").await.expect(200);
        assert_eq!(found["items"][0]["started_at"], "2026-05-01T09:30:00Z");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_excel_files_in_windows_1252() {
    journey("import-windows", async |page, server| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("excel.csv");
        // In Windows-1252: M\xfcller.
        std::fs::write(&file, b"original_identifier;last_name\r\nexcel-1;M\xfcller\r\n").unwrap();
        log_in(page, server, Role::Manager, "/imports").await;
        page.hand_file("[data-test=import-file]", &file).await;
        page.see("[data-test=encoding]").await;
        assert!(!page.sees("[data-test=garbled]").await);
        page.click("[data-test=import-start]").await;
        page.see("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
        page.shows("[data-test=import-row]:first-child .link-button", "excel.csv").await;
        let filter = json!({ "original_identifier": "excel-1" }).to_string();
        let found = server.admin().put("/api/leads/extended-data", filter).await.expect(200);
        assert_eq!(found["leads"][0]["last_name"], "Müller");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leaving_with_a_picked_file_requires_confirmation() {
    journey("import-picked", async |page, server| {
        let earlier = imported(server, "earlier.csv", "original_identifier\nearlier-1\n").await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("picked.csv");
        std::fs::write(&file, "original_identifier,last_name\npicked-1,Ask-Test\n").unwrap();
        log_in(page, server, Role::Manager, "/imports").await;
        page.hand_file("[data-test=import-file]", &file).await;
        page.see("[data-test=picked-file]").await;
        // An earlier import can be opened at the same time.
        page.click(&format!("[data-test=import-row][data-id='{earlier}'] a")).await;
        page.is_at(&format!("/imports/{earlier}")).await;
        page.shows("[data-test=import-report] h2", "earlier.csv").await;
        page.run("history.back()", ()).await;
        page.is_at("/imports").await;
        page.see("[data-test=picked-file]").await;

        let question = "[data-test=confirm-dialog][open]";
        page.click(".sidebar [href='/calls']").await;
        page.shows(&format!("{question} h2"), "Leave without saving?").await;
        page.click(&format!("{question} [data-test=cancel]")).await;
        page.see_gone(question).await;
        page.is_at("/imports").await;
        page.see("[data-test=picked-file]").await;

        // After the import, leaving needs no confirmation.
        page.click("[data-test=import-start]").await;
        page.see("[data-test=import-state][data-state=completed]").await;
        page.click(".sidebar [href='/calls']").await;
        page.is_at("/calls").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn upload_can_be_cancelled() {
    journey("import-cancel", async |page, server| {
        let imports = async || server.admin().get("/api/imports").await.expect(200)["total"].take();
        let before = imports().await;
        log_in(page, server, Role::Manager, "/imports").await;
        let _folder = begin_slow_upload(page, "long").await;
        // The options are disabled during the upload, and enabled afterwards.
        page.see("[data-test=import-calls]:disabled").await;
        page.click("[data-test=import-stop]").await;
        page.see_gone("[data-test=import-stop]").await;
        page.see("[data-test=import-calls]:enabled").await;
        page.shows("[data-test=picked-file]", "long.csv").await;
        page.see("[data-test=import-start]:enabled").await;
        assert!(!page.sees("[data-test=error]").await);
        page.is_at("/imports").await;
        assert_eq!(imports().await, before);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leaving_the_page_ends_the_upload() {
    journey("import-left", async |page, server| {
        log_in(page, server, Role::Manager, "/imports").await;
        let _folder = begin_slow_upload(page, "left").await;
        page.see("[data-test=import-stop]").await;
        page.network().await;
        page.click(".sidebar [href='/calls']").await;
        page.click("[data-test=confirm-dialog][open] [data-test=confirm]").await;
        page.is_at("/calls").await;
        let is_stopped = async || {
            let stopped =
                |(method, failed): (String, Value)| method == "Network.loadingFailed" && failed["canceled"] == true;
            page.network().await.into_iter().any(stopped).then_some(())
        };
        page.until("the upload is stopped", is_stopped).await;
    })
    .await;
}

/// Starts a slow upload of leads with this word in their identifiers. The file exists as long as the returned folder.
async fn begin_slow_upload(page: &Page, word: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!("{word}.csv"));
    let rows: String = (0..40_000).map(|row| format!("{word}-{row},Slow-Test,Berlin\n")).collect();
    std::fs::write(&file, format!("original_identifier,last_name,city\n{rows}")).unwrap();
    page.hand_file("[data-test=import-file]", &file).await;
    page.see("[data-test=picked-file]").await;
    page.command("Network.enable", json!({})).await;
    let slow = json!({ "offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 10_000 });
    page.command("Network.emulateNetworkConditions", slow).await;
    page.click("[data-test=import-start]").await;
    folder
}
