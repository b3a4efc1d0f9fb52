//! Tests of imports and their rejected rows.

use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{Diagnostic, Location, common, conflict};
use leadscribe_engine::record::{CallRecord, CampaignRecord, Delimiter, LeadRecord};

use super::{
    FIRST_1000, TestStore, at, audit_at, audit_lines, call_record, campaign_lead_record, message, new_campaign,
    new_lead, outcomes, refusal, text,
};
use crate::storage::{ImportQuery, ImportRows, NewImport, RejectedRowPosition, Slice};

fn new_import(kind: ImportKind, file_name: &str) -> NewImport {
    NewImport::new(kind, file_name)
}

pub async fn imports_are_stored(store: TestStore) {
    let mut import =
        store.create_import(&new_import(ImportKind::CampaignLeads, "may.csv"), &audit_at(0)).await.unwrap();
    assert_eq!((import.state, import.started_at, import.finished_at), (ImportState::Running, at(0), None));
    assert_eq!(store.import(import.id).await.unwrap().as_ref(), Some(&import));

    import.counts =
        ImportCounts { read: 6, inserted: 2, updated: 1, unchanged: 1, rejected: 2, undialable: 3, corrected: 0 };
    let sample = FindingSample { line: 3, cell: Some("n/a".to_owned()), result: None };
    ImportFinding::add(&mut import.findings, FindingCode::InvalidPhone, Some("Tel"), sample);
    import.progress = 0.5;
    import.new_statuses = vec!["vip".to_owned()];
    import.columns = vec!["id".to_owned(), "custom.a\"b".to_owned()];
    import.delimiter = Delimiter::Tab;
    let diagnostic = Diagnostic::new(Location::Column("lead_id".to_owned()), "unknown_lead", conflict::no_lead(9))
        .suggest(common::keep_one())
        .permitted(["1", "2"]);
    let later = RejectedRow {
        line: 9,
        diagnostics: vec![diagnostic.clone(), diagnostic.clone()],
        row: "9,\"a\nb\"".to_owned(),
    };
    let earlier = RejectedRow { line: 3, diagnostics: vec![diagnostic], row: String::new() };
    store.update_import(&import, &[later.clone(), earlier.clone()], at(10)).await.unwrap();
    assert_eq!(store.import(import.id).await.unwrap().as_ref(), Some(&import));

    import.state = ImportState::Completed;
    import.finished_at = Some(at(30));
    store.update_import(&import, &[], at(30)).await.unwrap();
    assert_eq!(store.import(import.id).await.unwrap().as_ref(), Some(&import));

    let page = store.rejected_rows(import.id, FIRST_1000).await.unwrap();
    assert_eq!((page.items, page.total), (vec![earlier, later.clone()], 2));
    let second = store.rejected_rows(import.id, Slice { count: 1, offset: 1 }).await.unwrap();
    assert_eq!((second.items, second.total), (vec![later], 2));
    assert_eq!(store.rejected_rows(ImportId(99), FIRST_1000).await.unwrap().total, 0);
    assert_eq!(store.import(ImportId(99)).await.unwrap(), None);
}

pub async fn rejected_rows_are_paged(store: TestStore) {
    let [import, other] = [
        store.create_import(&new_import(ImportKind::Leads, "a.csv"), &audit_at(0)).await.unwrap(),
        store.create_import(&new_import(ImportKind::Leads, "b.csv"), &audit_at(0)).await.unwrap(),
    ];
    let row = |line: u64, row: &str| RejectedRow { line, diagnostics: Vec::new(), row: row.to_owned() };
    // Two rows of one line, and a row of an earlier line that is rejected later.
    store.update_import(&import, &[row(4, "b"), row(4, "c"), row(9, "d")], at(1)).await.unwrap();
    store.update_import(&other, &[row(5, "theirs")], at(1)).await.unwrap();
    store.update_import(&import, &[row(2, "a")], at(2)).await.unwrap();
    let mut read_rows = Vec::new();
    let mut after = RejectedRowPosition::default();
    loop {
        let page = store.next_rejected_rows(import.id, after, 2, 1_000).await.unwrap();
        let Some((last, _)) = page.last() else { break };
        assert!(page.len() <= 2);
        after = *last;
        read_rows.extend(page.into_iter().map(|(_, row)| row));
    }
    assert_eq!(read_rows, [row(2, "a"), row(4, "b"), row(4, "c"), row(9, "d")]);
    assert_eq!(store.rejected_rows(import.id, FIRST_1000).await.unwrap().items, read_rows);
    assert!(store.next_rejected_rows(ImportId(99), RejectedRowPosition::default(), 2, 1_000).await.unwrap().is_empty());
}

pub async fn large_rejected_rows_are_paged_and_truncated(store: TestStore) {
    let import = store.create_import(&new_import(ImportKind::Leads, "a.csv"), &audit_at(0)).await.unwrap();
    let diagnostic = Diagnostic::new(Location::Column("email".to_owned()), "invalid_email", message(&"x".repeat(400)));
    let row = |line: u64, row: String| RejectedRow { line, diagnostics: Vec::new(), row };
    let rows = [
        row(2, "é".repeat(2_000)),
        row(3, "é".repeat(2_001)),
        row(4, "a".repeat(300)),
        row(5, "b".repeat(300)),
        RejectedRow { diagnostics: vec![diagnostic], ..row(6, "c".repeat(300)) },
        row(7, "d".repeat(300)),
    ];
    store.update_import(&import, &rows, at(1)).await.unwrap();
    let (mut pages, mut read, mut after) = (Vec::new(), Vec::new(), RejectedRowPosition::default());
    loop {
        let page = store.next_rejected_rows(import.id, after, 10, 1_000).await.unwrap();
        let Some((last, _)) = page.last() else { break };
        after = *last;
        pages.push(page.len());
        read.extend(page.into_iter().map(|(_, row)| row));
    }
    // A row over the limit comes alone, and diagnostics count towards the size.
    assert_eq!((pages, read.as_slice()), (vec![1, 1, 2, 1, 1], rows.as_slice()));

    let listed = store.rejected_rows(import.id, FIRST_1000).await.unwrap().items;
    assert_eq!(listed[0], rows[0]);
    assert_eq!(listed[1].row, "é".repeat(2_000) + "…");
    assert_eq!(listed[2..], rows[2..]);
}

pub async fn imports_are_listed_by_query(store: TestStore) {
    for (kind, name, state) in [
        (ImportKind::Leads, "Spring leads.csv", ImportState::Completed),
        (ImportKind::Leads, "autumn_100%.csv", ImportState::Failed),
        (ImportKind::Calls, "spring.csv", ImportState::Completed),
    ] {
        let mut import = store.create_import(&new_import(kind, name), &audit_at(0)).await.unwrap();
        import.state = state;
        store.update_import(&import, &[], at(1)).await.unwrap();
    }
    let dry_run = NewImport { is_dry_run: true, ..new_import(ImportKind::Leads, "spring.csv") };
    store.create_import(&dry_run, &audit_at(2)).await.unwrap();
    let ids = async |query: ImportQuery| {
        let page = store.imports(&query, FIRST_1000).await.unwrap();
        assert_eq!(page.total, page.items.len() as u64);
        page.items.iter().map(|import| import.id.0).collect::<Vec<_>>()
    };
    let with_name = |name: &str| ImportQuery { name: Some(name.to_owned()), ..ImportQuery::default() };
    let of_kind = |kind| ImportQuery { kinds: vec![kind], ..ImportQuery::default() };
    let in_state = |state| ImportQuery { state: Some(state), ..ImportQuery::default() };
    assert_eq!(ids(ImportQuery::default()).await, [3, 2, 1]);
    assert_eq!(ids(of_kind(ImportKind::Leads)).await, [2, 1]);
    assert!(ids(of_kind(ImportKind::Campaigns)).await.is_empty());
    let two_kinds = vec![ImportKind::Campaigns, ImportKind::Calls];
    assert_eq!(ids(ImportQuery { kinds: two_kinds, ..ImportQuery::default() }).await, [3]);
    assert_eq!(ids(in_state(ImportState::Completed)).await, [3, 1]);
    assert_eq!(ids(with_name("SPRING")).await, [3, 1]);
    // `%` and `_` are not wildcards.
    assert_eq!((ids(with_name("%")).await, ids(with_name("_")).await), (vec![2], vec![2]));
    assert_eq!(ids(with_name("")).await, [3, 2, 1]);
    assert_eq!(ids(ImportQuery { kinds: vec![ImportKind::Calls], ..with_name("spring") }).await, [3]);
    assert!(ids(ImportQuery { state: Some(ImportState::Failed), ..of_kind(ImportKind::Calls) }).await.is_empty());
}

pub async fn nul_characters_in_rejected_rows_are_replaced(store: TestStore) {
    let mut import = store.create_import(&new_import(ImportKind::Leads, "may.csv"), &audit_at(0)).await.unwrap();
    import.error = Some(message("unexpected \0"));
    let row = RejectedRow { line: 2, diagnostics: Vec::new(), row: "a\0b".to_owned() };
    store.update_import(&import, &[row], at(1)).await.unwrap();
    assert_eq!(
        store.import(import.id).await.unwrap().unwrap().error.as_ref().map(ToString::to_string).as_deref(),
        Some("unexpected \u{2400}")
    );
    assert_eq!(store.rejected_rows(import.id, FIRST_1000).await.unwrap().items[0].row, "a\u{2400}b");
}

pub async fn lost_imports_fail(store: TestStore) {
    let mut active = store.create_import(&new_import(ImportKind::Leads, "a.csv"), &audit_at(0)).await.unwrap();
    let stalled = store.create_import(&new_import(ImportKind::Leads, "b.csv"), &audit_at(0)).await.unwrap();
    let mut ended = store.create_import(&new_import(ImportKind::Calls, "c.csv"), &audit_at(0)).await.unwrap();
    active.progress = 0.5;
    store.update_import(&active, &[], at(30)).await.unwrap();
    ended.state = ImportState::Completed;
    store.update_import(&ended, &[], at(1)).await.unwrap();

    let fail = async |no_progress_since, now| {
        store.fail_lost_imports(&message("stopped"), at(no_progress_since), at(now)).await.unwrap()
    };
    assert_eq!(fail(-1, 20).await, 0);
    assert_eq!(fail(29, 60).await, 1);
    assert_eq!(fail(29, 70).await, 0);
    let lost_import =
        Import { state: ImportState::Failed, finished_at: Some(at(60)), error: Some(message("stopped")), ..stalled };
    assert_eq!(
        store.imports(&ImportQuery::default(), FIRST_1000).await.unwrap().items,
        [ended, lost_import, active.clone()]
    );

    // The process was only slow and continues.
    assert_eq!(fail(30, 80).await, 1);
    active.progress = 0.6;
    store.update_import(&active, &[], at(90)).await.unwrap();
    assert_eq!(store.import(active.id).await.unwrap(), Some(active));
}

pub async fn cancel_request_of_an_import_is_kept(store: TestStore) {
    let mut import = store.create_import(&new_import(ImportKind::Leads, "a.csv"), &audit_at(0)).await.unwrap();
    let requested = async |id| store.import(id).await.unwrap().unwrap().cancel_requested_at;
    assert_eq!(requested(import.id).await, None);
    let cancelled = store.cancel_import(import.id, &audit_at(1)).await.unwrap().unwrap();
    assert_eq!((cancelled.state, cancelled.cancel_requested_at), (ImportState::Running, Some(at(1))));
    assert_eq!(store.cancel_import(import.id, &audit_at(2)).await.unwrap().as_ref(), Some(&cancelled));
    let id = import.id;
    let entry = |action: &str| format!("{action} import:{id}");
    assert_eq!(audit_lines(&store).await, ["import.create", "import.cancel"].map(entry));

    // The importing process hasn't noticed the request yet.
    import.progress = 0.5;
    store.update_import(&import, &[], at(3)).await.unwrap();
    assert_eq!(requested(import.id).await, Some(at(1)));
    import.state = ImportState::Completed;
    store.update_import(&import, &[], at(4)).await.unwrap();
    assert_eq!(
        store.import(import.id).await.unwrap().unwrap().state,
        ImportState::Completed,
        "the import had already ended"
    );
    assert_eq!(refusal(store.cancel_import(import.id, &audit_at(5)).await)[0], "not_running");
    assert_eq!(store.cancel_import(ImportId(99), &audit_at(5)).await.unwrap(), None);

    let dry_run = NewImport { is_dry_run: true, ..new_import(ImportKind::Leads, "a.csv") };
    let dry_run = store.create_import(&dry_run, &audit_at(6)).await.unwrap();
    store.cancel_import(dry_run.id, &audit_at(7)).await.unwrap();
    assert_eq!(audit_lines(&store).await.len(), 2, "an import without changes is not in the audit log");
}

pub async fn dry_runs_are_hidden_and_purged(store: TestStore) {
    let dry_run = NewImport { is_dry_run: true, ..new_import(ImportKind::Leads, "a.csv") };
    let first = store.create_import(&dry_run, &audit_at(0)).await.unwrap();
    assert!(first.dry_run);
    let row = RejectedRow { line: 2, diagnostics: Vec::new(), row: "x".to_owned() };
    store.update_import(&first, &[row], at(1)).await.unwrap();
    let written_import = store.create_import(&new_import(ImportKind::Leads, "a.csv"), &audit_at(2)).await.unwrap();
    let page = store.imports(&ImportQuery::default(), FIRST_1000).await.unwrap();
    assert_eq!((page.items, page.total), (vec![written_import.clone()], 1));
    assert_eq!(store.import(first.id).await.unwrap(), Some(first.clone()));
    // Dry runs are not in the audit log.
    assert_eq!(audit_lines(&store).await, [format!("import.create import:{}", written_import.id)]);

    let last = store.create_import(&dry_run, &audit_at(9)).await.unwrap();
    let purge = async |dry_runs_before| store.purge_rejected_rows(at(0), at(dry_runs_before)).await.unwrap();
    assert_eq!(purge(0).await, 0);
    assert_eq!(store.rejected_rows(first.id, FIRST_1000).await.unwrap().total, 1);
    // The rejected row is purged first, then the dry run.
    assert_eq!([purge(9).await, purge(9).await, purge(9).await], [1, 1, 0]);
    assert_eq!(store.import(first.id).await.unwrap(), None);
    assert_eq!(store.rejected_rows(first.id, FIRST_1000).await.unwrap().total, 0);
    assert_eq!(store.import(last.id).await.unwrap(), Some(last));
    assert_eq!(store.import(written_import.id).await.unwrap(), Some(written_import));
}

pub async fn purging_rejected_rows_keeps_their_count(store: TestStore) {
    let mut imports = Vec::new();
    for seconds in [0, 10] {
        let mut import =
            store.create_import(&new_import(ImportKind::Leads, "a.csv"), &audit_at(seconds)).await.unwrap();
        (import.state, import.counts.rejected) = (ImportState::Completed, 2);
        let row = |line| RejectedRow { line, diagnostics: Vec::new(), row: "ada@example".to_owned() };
        store.update_import(&import, &[row(2), row(3)], at(seconds)).await.unwrap();
        imports.push(import);
    }
    assert_eq!(store.purge_rejected_rows(at(0), at(9)).await.unwrap(), 0);
    assert_eq!(store.purge_rejected_rows(at(10), at(0)).await.unwrap(), 2);
    assert_eq!(store.purge_rejected_rows(at(10), at(0)).await.unwrap(), 0);
    for (import, rows) in imports.iter().zip([0, 2]) {
        assert_eq!(store.rejected_rows(import.id, FIRST_1000).await.unwrap().total, rows);
        assert_eq!(store.import(import.id).await.unwrap().as_ref(), Some(import));
    }
}

pub async fn previewed_batch_changes_nothing(store: TestStore) {
    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord { city: text("Rome"), ..LeadRecord::default() }).await;
    let dry_run = NewImport { is_dry_run: true, ..new_import(ImportKind::Leads, "a.csv") };
    let import = store.create_import(&dry_run, &audit_at(0)).await.unwrap().id;
    let before = audit_lines(&store).await;
    let lead_row = |id, city: &str| LeadRecord { id: Some(LeadId(id)), city: text(city), ..LeadRecord::default() };
    let campaign_record = |id, name: &str| CampaignRecord {
        id: Some(CampaignId(id)),
        name: Some(name.to_owned()),
        ..CampaignRecord::default()
    };
    let mut vip = campaign_lead_record(lead, campaign);
    vip.status = Some("vip".to_owned());
    let call = |id, lead_id| CallRecord { id: Some(CallId(id)), lead_id: Some(Some(LeadId(lead_id))), ..call_record() };
    let batches = [
        (
            ImportRows::Leads(vec![lead_row(lead.0, "Rome"), lead_row(lead.0, "Oslo"), lead_row(50, "Bern")], None),
            vec!["unchanged", "updated", "inserted"],
        ),
        (
            ImportRows::Campaigns(vec![campaign_record(campaign.0, "Autumn"), campaign_record(9, "Autumn")]),
            vec!["updated", "taken Column(\"name\")"],
        ),
        (
            ImportRows::CampaignLeads(vec![vip, campaign_lead_record(LeadId(50), campaign)]),
            vec!["inserted", "unknown_lead Column(\"lead_id\")"],
        ),
        (ImportRows::Calls(vec![call(7, lead.0), call(7, lead.0)]), vec!["inserted", "unchanged"]),
    ];
    for _ in 0..2 {
        for (rows, expected) in &batches {
            let preview = store.preview_import(import, rows.clone(), &audit_at(1)).await.unwrap();
            assert_eq!(outcomes(&preview.rows), *expected, "{rows:?}");
            let adds_status = matches!(rows, ImportRows::CampaignLeads(_));
            assert_eq!(preview.new_statuses, if adds_status { vec!["vip"] } else { vec![] });
        }
    }
    let result = store.lead(lead, at(2)).await.unwrap().unwrap();
    assert_eq!(result.leads[0].lead.to_lead().city.as_deref(), Some("Rome"));
    assert_eq!(result.leads[0].campaign_leads, []);
    assert!(store.lead(LeadId(50), at(2)).await.unwrap().is_none());
    assert_eq!(store.campaign(campaign).await.unwrap().unwrap().name, "Spring");
    assert_eq!(store.call(CallId(7)).await.unwrap(), None);
    assert!(store.statuses().await.unwrap().iter().all(|status| status.name != "vip"));
    assert_eq!(audit_lines(&store).await, before);
}
