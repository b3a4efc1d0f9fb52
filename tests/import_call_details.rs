//! Call detail records of Asterisk and FreePBX, imported by `leadscribe import`, and the resulting calls.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::harness::{Program, outcome, run, wav};

/// Folder with the files of a telephone system, and the data folder to import into.
struct Pbx {
    home: tempfile::TempDir,
}

impl Pbx {
    fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Writes a file and returns its path.
    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn data(&self) -> PathBuf {
        self.path("data")
    }

    /// Imports a file of calls. Returns whether all rows were imported, and the counts.
    fn import(&self, file: &str, more: &[&str]) -> (bool, String) {
        let (succeeded, said) = outcome(&self.data(), &[], &[&["import", "calls", file], more].concat());
        let counts = said.lines().find(|line| line.contains(" rows: ")).unwrap_or_else(|| panic!("{said}"));
        (succeeded, counts.to_owned())
    }

    /// Imports `Master.csv`.
    fn import_master(&self, content: impl AsRef<[u8]>, more: &[&str]) -> (bool, String) {
        let file = self.write("Master.csv", content);
        self.import(&file, &[&["--format", "asterisk"], more].concat())
    }

    /// Returns all calls, ordered by identifier.
    async fn calls(&self) -> Vec<Value> {
        let key = run(&self.data(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
        let server = Program::start_with(&self.data(), &[("LEADSCRIBE_RECOGNIZER", "off")]).await;
        let client = server.client().with_key(&key);
        let mut calls = client.get("/api/calls").await.expect(200)["items"].as_array().unwrap().clone();
        calls.sort_by_key(|call| call["original_identifier"].as_str().unwrap().to_owned());
        calls
    }
}

fn counts(rows: u64, inserted: u64, updated: u64, unchanged: u64, rejected: u64) -> String {
    format!("{rows} rows: {inserted} inserted, {updated} updated, {unchanged} unchanged, {rejected} rejected")
}

/// Returns identifier, direction, agent, status, and the size of the recording.
fn summary(call: &Value) -> Value {
    json!([call["original_identifier"], call["direction"], call["agent"], call["status"], call["recording"]["bytes"]])
}

fn seconds(call: &Value) -> i64 {
    let at = |field: &str| chrono::DateTime::parse_from_rfc3339(call[field].as_str().unwrap()).unwrap();
    (at("ended_at") - at("started_at")).num_seconds()
}

fn bytes(path: &Path) -> u64 {
    std::fs::metadata(path).unwrap().len()
}

/// Returns a row for an outbound call of an extension.
fn outbound(extension: u16, uniqueid: &str) -> String {
    format!(
        "\"\",\"{extension}\",\"03023125123\",\"plan\",\"x\",\"PJSIP/{extension}-0001\",\"PJSIP/line-0002\",\"Dial\",\"\",\
         \"2026-05-04 10:00:00\",\"2026-05-04 10:00:03\",\"2026-05-04 10:00:30\",30,27,\"ANSWERED\",\"DOCUMENTATION\",\
         \"{uniqueid}\",\"\",\"\",\"{uniqueid}\",\"1\"\n"
    )
}

#[tokio::test]
async fn recordings_match_the_whole_uniqueid() {
    let pbx = Pbx::new();
    pbx.write("monitor/2026/05/04/out-101-berlin-1777888800.5.wav", wav(1, 1.0));
    pbx.write("monitor/1777888900.6.wav", wav(1, 2.0));
    pbx.write("monitor/1777888900.6.txt", "notes");
    pbx.write("monitor/hamburg-1777889000.7.wav", wav(1, 3.0));
    let rows = [outbound(101, "berlin-1777888800.5"), outbound(102, "1777888900.6"), outbound(103, "1777889000.7")];
    let monitor = pbx.path("monitor");
    let with_recordings = ["--recordings", monitor.to_str().unwrap()];
    assert_eq!(pbx.import_master(rows.concat(), &with_recordings), (true, counts(3, 3, 0, 0, 0)));
    assert_eq!(pbx.import_master(rows.concat(), &with_recordings), (true, counts(3, 0, 0, 3, 0)));
    let calls = pbx.calls().await;
    assert_eq!(
        calls.iter().map(summary).collect::<Vec<_>>(),
        [
            json!(["1777888900.6", "outbound", "102", "answered", bytes(&monitor.join("1777888900.6.wav"))]),
            json!(["1777889000.7", "outbound", "103", "answered", null]),
            json!([
                "berlin-1777888800.5",
                "outbound",
                "101",
                "answered",
                bytes(&monitor.join("2026/05/04/out-101-berlin-1777888800.5.wav"))
            ]),
        ]
    );
}

#[tokio::test]
async fn calls_are_imported_without_unusable_recordings() {
    let pbx = Pbx::new();
    pbx.write("monitor/1777888800.5.wav", "no sound");
    for side in ["in", "out"] {
        pbx.write(&format!("monitor/1777888900.6-{side}.wav"), wav(1, 1.0));
    }
    let rows = [outbound(101, "1777888800.5"), outbound(102, "1777888900.6")].concat();
    let monitor = pbx.path("monitor");
    let (succeeded, said) = pbx.import_master(&rows, &["--recordings", monitor.to_str().unwrap()]);
    assert_eq!((succeeded, said), (false, counts(2, 2, 0, 0, 2)));
    let told = std::fs::read_to_string(pbx.path("Master.rejected.csv")).unwrap();
    assert!(
        told.contains("\n1,") && told.contains("recording: 1777888800.5.wav: ") && told.contains("without it"),
        "{told}"
    );
    assert!(told.contains("expected one recording of 1777888900.6"), "{told}");
    assert_eq!(pbx.calls().await.len(), 2);
}

#[tokio::test]
async fn records_of_one_channel_become_one_call() {
    let pbx = Pbx::new();
    let row = |dst, app, start, seconds, disposition, uniqueid, sequence| {
        format!(
            "\"\",\"+493023125123\",\"{dst}\",\"plan\",\"x\",\"PJSIP/line-0010\",\"\",\"{app}\",\"\",\"2026-05-04 {start}\",\"\",\
             \"2026-05-04 {start}\",{seconds},{seconds},\"{disposition}\",\"DOCUMENTATION\",\"{uniqueid}\",\"\",\"\",\
             \"{uniqueid}\",\"{sequence}\"\n"
        )
    };
    let rows = [
        row("s", "Playback", "10:00:00", 65, "ANSWERED", "1777888800.10", 1),
        row("700", "Queue", "10:01:05", 0, "NO ANSWER", "1777888800.10", 2),
        row("vmu101", "VoiceMail", "11:00:20", 45, "ANSWERED", "1777892400.11", 3),
        row("h", "Hangup", "11:01:05", 0, "ANSWERED", "1777892400.11", 4),
    ];
    assert_eq!(
        pbx.import_master(rows.concat(), &["--dry-run"]).1,
        format!("dry run, nothing was changed; {}", counts(4, 2, 0, 0, 0))
    );
    assert_eq!(pbx.import_master(rows.concat(), &[]), (true, counts(4, 2, 0, 0, 0)));
    assert_eq!(pbx.import_master(rows.concat(), &[]), (true, counts(4, 0, 0, 2, 0)));
    // A single leg of a known call, as after log rotation, doesn't change it.
    assert_eq!(pbx.import_master(&rows[1], &[]), (true, counts(1, 0, 0, 1, 0)));
    let calls = pbx.calls().await;
    let expected = [
        json!(["1777888800.10", "inbound", null, "answered", null]),
        json!(["1777892400.11", "inbound", null, "answered", null]),
    ];
    assert_eq!(calls.iter().map(summary).collect::<Vec<_>>(), expected);
    assert_eq!(calls.iter().map(seconds).collect::<Vec<_>>(), [65, 45]);
}

#[tokio::test]
async fn queue_and_its_agents_become_one_call() {
    let pbx = Pbx::new();
    let row = |dst, channel, dstchannel, seconds, disposition, uniqueid| {
        format!(
            "\"\",\"+493023125123\",\"{dst}\",\"plan\",\"x\",\"{channel}\",\"{dstchannel}\",\"Dial\",\"\",\"2026-05-04 10:00:00\",\"\",\
             \"2026-05-04 10:02:00\",{seconds},{seconds},\"{disposition}\",\"DOCUMENTATION\",\"{uniqueid}\",\"\",\"\",\
             \"1777888800.20\",\"1\"\n"
        )
    };
    let rows = [
        row("102", "Local/102@from-queue-0002;2", "PJSIP/102-0022", 4, "NO ANSWER", "1777888801.24"),
        row("101", "Local/101@from-queue-0001;2", "PJSIP/101-0021", 115, "ANSWERED", "1777888801.22"),
        row("700", "PJSIP/line-0020", "Local/101@from-queue-0001;1", 120, "ANSWERED", "1777888800.20"),
    ];
    let leads = pbx.write("leads.csv", "original_identifier,first_name,phone\nq1,Ada,+493023125123\n");
    run(&pbx.data(), &["import", "leads", &leads]);
    assert_eq!(pbx.import_master(rows.concat(), &[]), (true, counts(3, 1, 0, 0, 0)));
    let calls = pbx.calls().await;
    assert_eq!(
        calls.iter().map(summary).collect::<Vec<_>>(),
        [json!(["1777888800.20", "inbound", "101", "answered", null])]
    );
    assert_eq!((seconds(&calls[0]), calls[0]["lead_id"].is_null()), (120, false));
}

#[tokio::test]
async fn numeric_trunk_names_are_set_by_options() {
    let pbx = Pbx::new();
    let row = outbound(12345, "1777888800.5").replace("PJSIP/line", "SIP/101").replace("03023125123", "101");
    assert_eq!(pbx.import_master(&row, &["--trunks", "12345,line-*"]), (true, counts(1, 1, 0, 0, 0)));
    assert_eq!(summary(&pbx.calls().await[0]), json!(["1777888800.5", "inbound", "101", "answered", null]));
    let wrong = pbx.write("Master.csv", row);
    let (succeeded, said) =
        outcome(&pbx.data(), &[], &["import", "calls", &wrong, "--format", "asterisk", "--trunks", "a/b"]);
    assert!(!succeeded && said.contains("expected a pattern such as `1XX`"), "{said}");
}

#[tokio::test]
async fn reports_of_freepbx_are_imported() {
    let pbx = Pbx::new();
    let report = "calldate,clid,src,dst,dcontext,channel,dstchannel,lastapp,lastdata,duration,billsec,disposition,amaflags,\
        accountcode,uniqueid,userfield,did,recordingfile,cnum,cnam,outbound_cnum,outbound_cnam,dst_cnam,linkedid,peeraccount,\
        sequence\n\
        \"2026-05-04 10:00:00\",\"\"\"Ada\"\" <101>\",\"101\",\"03023125123\",\"from-internal\",\"PJSIP/101-0001\",\"PJSIP/line-0002\",\
        \"Dial\",\"x\",\"42\",\"37\",\"ANSWERED\",\"3\",\"\",\"1777888800.1\",\"\",\"\",\"out-1777888800.1.wav\",\"101\",\"Ada\",\"\",\"\",\
        \"\",\"1777888800.1\",\"\",\"1\"\n\
        \"2026-05-04 10:10:00\",\"\",\"+493023125124\",\"700\",\"ext-queues\",\"PJSIP/line-0003\",\"\",\"Queue\",\"x\",\"20\",\"0\",\
        \"NO ANSWER\",\"3\",\"\",\"1777889400.2\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"1777889400.2\",\"\",\"2\"\n";
    let file = pbx.write("report.csv", report);
    let recording = pbx.write("monitor/2026/05/04/out-1777888800.1.wav", wav(1, 2.0));
    let monitor = pbx.path("monitor");
    let more = ["--timezone", "Europe/Berlin", "--recordings", monitor.to_str().unwrap()];
    assert_eq!(pbx.import(&file, &more), (true, counts(2, 2, 0, 0, 0)));
    assert_eq!(pbx.import(&file, &[&more[..], &["--format", "asterisk"]].concat()), (true, counts(2, 0, 0, 2, 0)));
    let calls = pbx.calls().await;
    let expected = [
        json!(["1777888800.1", "outbound", "101", "answered", bytes(Path::new(&recording))]),
        json!(["1777889400.2", "inbound", null, "no_answer", null]),
    ];
    assert_eq!(calls.iter().map(summary).collect::<Vec<_>>(), expected);
    assert_eq!(calls[0]["started_at"], "2026-05-04T08:00:00Z");
}

#[tokio::test]
async fn latin_1_names_do_not_reject_calls() {
    let pbx = Pbx::new();
    let row = outbound(101, "1777888800.5").into_bytes();
    let latin = row.iter().flat_map(|byte| if *byte == b'x' { vec![b'J', 0xf6, b'r', b'g'] } else { vec![*byte] });
    assert_eq!(pbx.import_master(latin.collect::<Vec<_>>(), &[]), (true, counts(1, 1, 0, 0, 0)));
}

#[tokio::test]
async fn calls_imported_by_earlier_versions_are_matched() {
    let pbx = Pbx::new();
    let earlier = "original_identifier,direction,agent,status\n1777888800.5 PJSIP/line-0002,outbound,101,Answered\n";
    let earlier = pbx.write("earlier.csv", earlier);
    assert_eq!(pbx.import(&earlier, &[]), (true, counts(1, 1, 0, 0, 0)));
    assert_eq!(pbx.import_master(outbound(101, "1777888800.5"), &[]), (true, counts(1, 0, 1, 0, 0)));
    assert_eq!(pbx.import_master(outbound(101, "1777888800.5"), &[]), (true, counts(1, 0, 0, 1, 0)));
    assert_eq!(pbx.calls().await.iter().map(|call| &call["original_identifier"]).collect::<Vec<_>>(), ["1777888800.5"]);
}

#[test]
fn call_detail_formats_import_only_calls() {
    let pbx = Pbx::new();
    let master = pbx.write("Master.csv", outbound(101, "1777888800.5"));
    let refused = |args: &[&str]| {
        let (succeeded, said) = outcome(&pbx.data(), &[], args);
        assert!(!succeeded, "{said}");
        said
    };
    let said = refused(&["import", "leads", &master, "--format", "asterisk"]);
    assert!(said.contains("expected a file of calls, as call detail records are"), "{said}");
    for (given, meant) in [("Europe/Berlim", "`Europe/Berlin`"), ("EST", "`America/New_York`")] {
        let said = refused(&["import", "calls", &master, "--format", "asterisk", "--timezone", given]);
        assert!(said.contains("--timezone: expected an IANA time zone") && said.contains(meant), "{said}");
    }
}
