//! CSV imports.

use leadscribe_engine::api::Role;
use serde_json::{Value, json};

use super::import_history::import_file;
use super::journey;
use super::login::log_in;
use super::page::Page;

/// Three valid rows and two invalid ones: a day that doesn't exist, and an invalid boolean.
const CSV: &str = "\
original_identifier,first_name,last_name,phone,country,city,birthdate,do_not_call,custom.tier
shop-1,Ada,Import-Test,+49 30 901820,DE,Berlin,1985-12-10,false,gold
shop-2,Bea,Import-Test,,DE,Berlin,2026-02-30,false,gold
shop-3,Cyd,Import-Test,020 7946 0018,GB,London,,true,
shop-4,Dov,Import-Test,,IL,Haifa,,perhaps,silver
shop-5,Eva,\"Import-Test\",,SE,Lund,1990-02-28,,\"gold, \"\"red\"\"\"
";

journey!(imports_valid_rows_and_explains_rejected_ones, async |page, server| {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("autumn leads.csv");
    std::fs::write(&file, CSV).unwrap();
    log_in(page, server, Role::Manager, "/imports").await;
    page.click("[data-test=import-leads]").await;
    page.set_file("[data-test=import-file]", &file).await;
    // The browser must not open a file that is dropped next to the field.
    let drop_is_prevented_script = "return ['dragover', 'drop'].every(name =>
            !document.body.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true })))";
    assert_eq!(page.run_script(drop_is_prevented_script, Value::Null).await, json!(true));
    page.click("[data-test=import-start]").await;

    page.wait_for("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
    for (tile, count) in [("read", "5"), ("inserted", "3"), ("updated", "0"), ("unchanged", "0"), ("rejected", "2")] {
        page.expect_text(&format!("[data-test=import-{tile}]"), count).await;
    }
    page.wait_for("[data-test=rejected-row]").await;
    let rows = page.texts("[data-test=rejected-row]").await;
    assert_eq!(rows.len(), 2, "{rows:?}");
    for (row, parts) in rows
        .iter()
        .zip([["3", "birthdate", "30 February 2026 doesn't exist"], ["5", "do_not_call", "found \"perhaps\""]])
    {
        for part in parts {
            assert!(row.contains(part), "{part:?} is missing in {row:?}");
        }
    }
    // Diagnostics use the file's column names.
    let rejected_columns = page.texts("[data-test=rejected-row] .chip").await;
    assert_eq!(rejected_columns, ["birthdate", "do_not_call"]);
    page.expect_text("[data-test=import-row] .link-button", "autumn leads.csv").await;

    // The file of rejected rows contains only those rows.
    let rejected_csv = page.wait_for("[data-test=rejected-csv]").await.prop("href").await.unwrap().unwrap();
    let path = rejected_csv.strip_prefix(server.base()).unwrap().to_owned();
    let rejected_csv = server.admin().get(&path).await;
    assert_eq!(rejected_csv.status, 200);
    assert!(rejected_csv.text().contains("Bea,Import-Test") && !rejected_csv.text().contains("Ada,Import-Test"));

    page.open("/leads").await;
    page.wait_for("[data-test=lead-row]").await;
    page.fill_filter(r#"{"last_name":"Import-Test","_order":["first_name"]}"#).await;
    page.click("[data-test=apply]").await;
    page.expect_text("[data-test=total]", "3 leads").await;
    assert_eq!(
        page.texts("[data-test=lead-row] a.row-link").await,
        ["Ada Import-Test", "Cyd Import-Test", "Eva Import-Test"]
    );
});

journey!(numbers_without_a_country_get_the_default_country, async |page, server| {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("numbers.csv");
    let rows = "shop-1,Ada,030 901820\nshop-2,Bea,030 901821\nshop-3,Cyd,call me\nshop-4,Dov,+44 20 7946 0018\n";
    std::fs::write(&file, format!("original_identifier,first_name,phone\n{rows}")).unwrap();
    log_in(page, server, Role::Manager, "/imports").await;
    page.set_file("[data-test=import-file]", &file).await;
    let notice_selector = "[data-test=import-undialable] strong";
    page.click("[data-test=import-dry-run]").await;
    page.expect_text(notice_selector, "3 rows have phone numbers that can't be dialed.").await;

    // Choosing a country invalidates the dry run.
    page.select_option("[data-test=import-country]", "DE").await;
    page.wait_until_gone("[data-test=import-dry-run-report]").await;
    page.click("[data-test=import-dry-run]").await;
    page.expect_text(notice_selector, "1 row has a phone number that can't be dialed.").await;
    page.click("[data-test=import-start]").await;
    page.wait_for("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
    page.expect_text(notice_selector, "1 row has a phone number that can't be dialed.").await;
    let find_leads = async |filter: Value| server.admin().search_leads(filter).await;
    let ada = find_leads(json!({ "original_identifier": "shop-1" })).await;
    assert_eq!(ada["leads"][0]["phone_normalized"], "+4930901820");
    page.click("[data-test=import-undialable] a").await;
    page.wait_for("[data-test=lead-row]").await;
    assert_eq!(page.texts("[data-test=lead-row] a.row-link").await[0], "Cyd");
});

journey!(decimal_separator_is_detected_or_chosen, async |page, server| {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("amounts.csv");
    let rows = "euro-1;1.999,90\neuro-2;1.234\neuro-3;12.5\n";
    std::fs::write(&file, format!("original_identifier;Kaufbetrag\n{rows}")).unwrap();
    log_in(page, server, Role::Manager, "/imports").await;
    page.set_file("[data-test=import-file]", &file).await;
    // The first and last amount use different separators. The second is ambiguous and rejected.
    let selected_separator = async || page.wait_for("[data-test=import-decimal]").await.prop("value").await.unwrap();
    assert_eq!(selected_separator().await.as_deref(), Some(""));
    page.expect_text("[data-test=invalid-cell]", "1.234").await;
    page.wait_for("[data-test=decimal-needed]").await;
    page.select_option("[data-test=import-decimal]", ",").await;
    page.wait_until_gone("[data-test=decimal-needed]").await;
    page.expect_text("[data-test=invalid-cell]", "12.5").await;

    std::fs::write(&file, format!("original_identifier;Kaufbetrag\n{}", rows.replace("12.5", "12,5"))).unwrap();
    page.click("[data-test=change-file]").await;
    page.set_file("[data-test=import-file]", &file).await;
    page.wait_for("[data-test=preview-row]").await;
    assert_eq!(selected_separator().await.as_deref(), Some(","));
    page.click("[data-test=import-start]").await;
    page.wait_for("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
    let filter = json!({ "original_identifier": { "starts_with": "euro-" }, "_order": ["original_identifier"] });
    let imported = server.admin().search_leads(filter).await;
    let amounts: Vec<_> = (0..3).map(|row| imported["leads"][row]["purchase_amount"].clone()).collect();
    assert_eq!(amounts, [json!(1999.9), json!(1234.0), json!(12.5)]);
});

journey!(missing_key_column_is_reported_once, async |page, server| {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("missing-identifier.csv");
    std::fs::write(&file, "first_name,email\nAda,ada@example.com\nBob,bob\nCyd,cyd@example.com\n").unwrap();
    log_in(page, server, Role::Manager, "/imports").await;
    page.set_file("[data-test=import-file]", &file).await;
    // The message uses the labels of the list, and no dry run is possible.
    let expected_text = "Map a column to “Lead ID” or “Original identifier” to identify each row.";
    page.expect_text("[data-test=missing-identifier]", expected_text).await;
    assert_eq!(page.texts("[data-test=preview-errors] [data-test=diagnostic]").await, [""; 0]);
    page.wait_for("[data-test=import-dry-run]:disabled").await;
    let rows = page.texts("[data-test=preview-row]").await;
    assert!(rows.len() == 3 && !rows.iter().any(|row| row.contains("original_identifier")), "{rows:?}");
    assert_eq!(page.texts("[data-test=invalid-cell]").await.len(), 1);
    page.select_option("tr:nth-child(1) select[data-test=mapped-field]", "original_identifier").await;
    page.wait_for("[data-test=import-dry-run]:enabled").await;
    page.wait_until_gone("[data-test=missing-identifier]").await;
});

journey!(identifier_can_be_built_from_a_column, async |page, server| {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fair.csv");
    let rows = "Vorname;Telefon\nAda;+49 30 901830\nBob;+49 30 901831\n;\n";
    std::fs::write(&file, rows).unwrap();
    log_in(page, server, Role::Manager, "/imports").await;
    page.set_file("[data-test=import-file]", &file).await;
    page.wait_for("[data-test=import-dry-run]:disabled").await;
    page.select_option("[data-test=import-identifier]", "Telefon").await;
    page.wait_until_gone("[data-test=missing-identifier]").await;
    page.click("[data-test=import-start]").await;
    page.wait_for("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
    // A line of bare separators at the end, as spreadsheets write it, is ignored.
    page.expect_text("[data-test=import-read]", "2").await;
    page.expect_text("[data-test=import-inserted]", "2").await;

    // Importing the list again with a changed name finds the same leads.
    std::fs::write(&file, rows.replace("Bob", "Bobby")).unwrap();
    page.open("/imports").await;
    page.set_file("[data-test=import-file]", &file).await;
    page.select_option("[data-test=import-identifier]", "Telefon").await;
    page.click("[data-test=import-dry-run]").await;
    for (tile, count) in [("inserted", "0"), ("updated", "1"), ("unchanged", "1")] {
        page.expect_text(&format!("[data-test=import-{tile}]"), count).await;
    }

    // Mapping a column to the identifier removes the choice.
    page.select_option("tr:nth-child(2) select[data-test=mapped-field]", "original_identifier").await;
    page.wait_until_gone("[data-test=import-identifier]").await;
});

/// A file of another system: foreign column names, semicolons, an unneeded column, an invalid address.
const FOREIGN_FILE: &str = "\
Kundennummer;Vorname;Nachname;Telefon;E-Mail;Farbe;Notiz
4711;Ada;Zuordnung;+49 30 901820;ada@example.com;rot;x
4712;Bob;Zuordnung;;bob;blau;
4713;Cyd;Zuordnung;;cyd@example.com;;
";

journey!(foreign_file_is_mapped_tried_and_imported, async |page, server| {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kunden.csv");
    std::fs::write(&file, FOREIGN_FILE).unwrap();
    log_in(page, server, Role::Manager, "/imports").await;
    page.set_file("[data-test=import-file]", &file).await;

    // Most columns are mapped by name, and the preview of the file shows its diagnostics.
    page.expect_text("[data-test=picked-file]", "kunden.csv").await;
    let mapped_fields_script =
        "return [...document.querySelectorAll('select[data-test=mapped-field]')].map(e => e.value)";
    let suggested_fields = page.run_script(mapped_fields_script, ()).await;
    assert_eq!(suggested_fields, json!(["original_identifier", "first_name", "last_name", "phone", "email", "", ""]));
    assert_eq!(page.texts("[data-test=preview-row]").await.len(), 3);
    let invalid_cells = page.texts("[data-test=invalid-cell]").await;
    assert_eq!(invalid_cells.len(), 1, "{invalid_cells:?}");
    assert_eq!(invalid_cells, ["bob"]);
    let messages = page.texts("[data-test=preview-row-errors]").await;
    assert!(messages.len() == 1 && messages[0].starts_with("E-Mail Expected an email address"), "{messages:?}");

    // Mapping a field twice is reported at the second column and disables the buttons.
    page.select_option("tr:nth-child(6) select[data-test=mapped-field]", "email").await;
    page.wait_for("tr:nth-child(6) [data-test=diagnostic][data-code=duplicate_column]").await;
    page.wait_until_gone("[data-test=preview-row] [role=img]").await;
    page.wait_for("[data-test=import-start]:disabled").await;
    page.select_option("tr:nth-child(6) select[data-test=mapped-field]", "").await;
    page.expect_text("[data-test=unmapped-columns]", "2 columns won't be imported: Farbe, Notiz").await;
    page.wait_for("[data-test=mapped-column]:nth-child(6).is-ignored").await;
    page.select_option("tr:nth-child(6) select[data-test=mapped-field]", "custom.Farbe").await;
    page.expect_text("[data-test=unmapped-columns]", "1 column won't be imported: Notiz").await;
    page.wait_for("[data-test=import-start]:enabled").await;

    // The result is scrolled into view without jumping to the top of the page.
    let _ = page.run_script("document.querySelector('[data-test=import-dry-run]').scrollIntoView()", ()).await;
    page.click("[data-test=import-dry-run]").await;
    page.wait_for("[data-test=import-dry-run-report] [data-test=import-state][data-state=completed]").await;
    page.wait_for("#import-report:focus").await;
    let is_in_view_script = "const e = document.querySelector('[data-test=import-dry-run-report] dl').getBoundingClientRect(); \
                        return scrollY > 0 && e.top >= 0 && e.bottom <= innerHeight";
    assert_eq!(page.run_script(is_in_view_script, ()).await, json!(true));
    for (tile, count) in [("read", "3"), ("inserted", "2"), ("updated", "0"), ("unchanged", "0"), ("rejected", "1")] {
        page.expect_text(&format!("[data-test=import-dry-run-report] [data-test=import-{tile}]"), count).await;
    }
    let rejected_rows = page.texts("[data-test=rejected-row]").await;
    assert!(rejected_rows[0].contains("E-Mail") && rejected_rows[0].contains("4712"), "{rejected_rows:?}");
    assert_eq!(server.admin().count_leads(json!({ "last_name": "Zuordnung" })).await, 0);

    page.click("[data-test=import-start]").await;
    page.wait_for("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
    page.expect_text("[data-test=import-report] [data-test=import-inserted]", "2").await;
    page.expect_text("[data-test=import-row] .link-button", "kunden.csv").await;
    let imported = server.admin().search_leads(json!({ "original_identifier": "4711" })).await;
    let lead = &imported["leads"][0];
    assert_eq!(lead["custom_fields"]["Farbe"], "rot", "{lead}");
    assert_eq!((&lead["first_name"], &lead["phone_normalized"]), (&json!("Ada"), &json!("+4930901820")));

    // A file with the same columns reuses the last mapping, unless the user chooses the suggested one.
    std::fs::write(&file, "Farbe;Kundennummer;Vorname;Nachname;Telefon;E-Mail;Notiz\nrot;4711;Ada;Zuordnung;;;x\n")
        .unwrap();
    page.set_file("[data-test=import-file]", &file).await;
    page.wait_for("[data-test=previous-mapping]").await;
    let note = page.text("[data-test=previous-mapping]").await;
    assert!(note.starts_with("Same mapping as on "), "{note}");
    let previous_mapping = ["custom.Farbe", "original_identifier", "first_name", "last_name", "phone", "email", ""];
    assert_eq!(page.run_script(mapped_fields_script, ()).await, json!(previous_mapping));
    page.click("[data-test=use-suggested-mapping]").await;
    page.wait_until_gone("[data-test=previous-mapping]").await;
    page.wait_for("#import-columns:focus").await;
    assert_eq!(page.run_script(mapped_fields_script, ()).await[0], "");
});

/// Two calls as written by Asterisk's `cdr_csv`; the second has an unknown disposition.
const MASTER_FILE: &str = "\
\"\",\"101\",\"030901820\",\"x\",\"\",\"PJSIP/101-0000002a\",\"\",\"Dial\",\"\",\"2026-05-01 11:30:00\",,\"2026-05-01 11:30:07\",7,0,\"BUSY\",\"DOCUMENTATION\",\"1777627800.42\",\"\"
\"\",\"101\",\"030901821\",\"x\",\"\",\"PJSIP/101-0000002b\",\"\",\"Dial\",\"\",\"2026-05-01 11:31:00\",,\"2026-05-01 11:31:07\",7,0,\"GONE\",\"DOCUMENTATION\",\"1777627860.43\",\"\"
";

journey!(call_detail_records_are_detected_and_imported, async |page, server| {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Master.csv");
    std::fs::write(&file, MASTER_FILE).unwrap();
    log_in(page, server, Role::Manager, "/imports").await;
    page.set_file("[data-test=import-file]", &file).await;
    page.wait_for("[data-test=import-calls][aria-pressed=true]").await;
    page.wait_for("[data-test=call-details]").await;
    let invalid_cells = page.texts("[data-test=invalid-cell]").await;
    assert!(invalid_cells.len() == 1 && invalid_cells[0].contains("GONE"), "{invalid_cells:?}");

    page.fill("#import-zone", "Europe/Berlim").await;
    page.wait_for("[data-test=diagnostic][data-code=unknown_time_zone]").await;
    page.wait_for("[data-test=import-start]:disabled").await;
    page.fill("#import-zone", "Europe/Berlin").await;
    page.click("[data-test=import-start]").await;
    page.wait_for("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
    page.expect_text("[data-test=import-report] [data-test=import-inserted]", "1").await;
    page.expect_text("[data-test=import-report] [data-test=import-rejected]", "1").await;
    let imported_calls = server.admin().get("/api/calls?original_identifier=1777627800.42").await.expect(200);
    assert_eq!(imported_calls["items"][0]["started_at"], "2026-05-01T09:30:00Z");
});

journey!(reads_excel_files_in_windows_1252, async |page, server| {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("excel.csv");
    // In Windows-1252: M\xfcller.
    std::fs::write(&file, b"original_identifier;last_name\r\nexcel-1;M\xfcller\r\n").unwrap();
    log_in(page, server, Role::Manager, "/imports").await;
    page.set_file("[data-test=import-file]", &file).await;
    page.wait_for("[data-test=encoding]").await;
    assert!(!page.is_visible("[data-test=garbled]").await);
    page.click("[data-test=import-start]").await;
    page.wait_for("[data-test=import-report] [data-test=import-state][data-state=completed]").await;
    page.expect_text("[data-test=import-row]:first-child .link-button", "excel.csv").await;
    let filter = json!({ "original_identifier": "excel-1" }).to_string();
    let imported = server.admin().put("/api/leads/extended-data", filter).await.expect(200);
    assert_eq!(imported["leads"][0]["last_name"], "Müller");
});

journey!(leaving_with_a_picked_file_requires_confirmation, async |page, server| {
    let earlier_import = import_file(server, "earlier.csv", "original_identifier\nearlier-1\n").await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picked.csv");
    std::fs::write(&file, "original_identifier,last_name\npicked-1,Ask-Test\n").unwrap();
    log_in(page, server, Role::Manager, "/imports").await;
    page.set_file("[data-test=import-file]", &file).await;
    page.wait_for("[data-test=picked-file]").await;
    // An earlier import can be opened at the same time.
    page.click(&format!("[data-test=import-row][data-id='{earlier_import}'] a")).await;
    page.expect_location(&format!("/imports/{earlier_import}")).await;
    page.expect_text("[data-test=import-report] h2", "earlier.csv").await;
    page.run_script("history.back()", ()).await;
    page.expect_location("/imports").await;
    page.wait_for("[data-test=picked-file]").await;

    let confirm_dialog = "[data-test=confirm-dialog][open]";
    page.click(".sidebar [href='/calls']").await;
    page.expect_text(&format!("{confirm_dialog} h2"), "Leave without saving?").await;
    page.click(&format!("{confirm_dialog} [data-test=cancel]")).await;
    page.wait_until_gone(confirm_dialog).await;
    page.expect_location("/imports").await;
    page.wait_for("[data-test=picked-file]").await;

    // After the import, leaving needs no confirmation.
    page.click("[data-test=import-start]").await;
    page.wait_for("[data-test=import-state][data-state=completed]").await;
    page.click(".sidebar [href='/calls']").await;
    page.expect_location("/calls").await;
});

journey!(upload_can_be_cancelled, async |page, server| {
    let import_count = async || server.admin().get("/api/imports").await.expect(200)["total"].take();
    let count_before = import_count().await;
    log_in(page, server, Role::Manager, "/imports").await;
    let _folder = start_slow_upload(page, "long").await;
    // The options are disabled during the upload, and enabled afterwards.
    page.wait_for("[data-test=import-calls]:disabled").await;
    page.click("[data-test=import-stop]").await;
    page.wait_until_gone("[data-test=import-stop]").await;
    page.wait_for("[data-test=import-calls]:enabled").await;
    page.expect_text("[data-test=picked-file]", "long.csv").await;
    page.wait_for("[data-test=import-start]:enabled").await;
    assert!(!page.is_visible("[data-test=error]").await);
    page.expect_location("/imports").await;
    assert_eq!(import_count().await, count_before);
});

journey!(leaving_the_page_ends_the_upload, async |page, server| {
    log_in(page, server, Role::Manager, "/imports").await;
    let _folder = start_slow_upload(page, "left").await;
    page.wait_for("[data-test=import-stop]").await;
    page.take_network_events().await;
    page.click(".sidebar [href='/calls']").await;
    page.click("[data-test=confirm-dialog][open] [data-test=confirm]").await;
    page.expect_location("/calls").await;
    let upload_has_stopped = async || {
        let is_cancelled =
            |(method, event): (String, Value)| method == "Network.loadingFailed" && event["canceled"] == true;
        page.take_network_events().await.into_iter().any(is_cancelled).then_some(())
    };
    page.wait_until("the upload is stopped", upload_has_stopped).await;
});

/// Starts a slow upload of leads with this word in their identifiers. The file exists as long as the returned folder.
async fn start_slow_upload(page: &Page, word: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!("{word}.csv"));
    let rows: String = (0..40_000).map(|row| format!("{word}-{row},Slow-Test,Berlin\n")).collect();
    std::fs::write(&file, format!("original_identifier,last_name,city\n{rows}")).unwrap();
    page.set_file("[data-test=import-file]", &file).await;
    page.wait_for("[data-test=picked-file]").await;
    page.devtools_command("Network.enable", json!({})).await;
    let network_conditions =
        json!({ "offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 10_000 });
    page.devtools_command("Network.emulateNetworkConditions", network_conditions).await;
    page.click("[data-test=import-start]").await;
    folder
}
