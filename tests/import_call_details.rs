//! Call detail records of Asterisk and FreePBX, imported by `leadscribe import`, and the resulting calls.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::harness::{ServerProcess, run, run_failing, run_to_end, wav};

/// Folder with the files of a telephone system, and the data folder to import into.
struct Pbx {
    temp_dir: tempfile::TempDir,
}

impl Pbx {
    fn new() -> Self {
        Self { temp_dir: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.temp_dir.path().join(name)
    }

    /// Writes a file and returns its path.
    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn data_dir(&self) -> PathBuf {
        self.path("data")
    }

    /// Imports a file of calls. Returns whether all rows were imported, and the counts.
    fn import(&self, file: &str, extra_args: &[&str]) -> (bool, String) {
        let (succeeded, output) = run_to_end(&self.data_dir(), &[], &[&["import", "calls", file], extra_args].concat());
        let counts = output.lines().find(|line| line.contains(" rows: ")).unwrap_or_else(|| panic!("{output}"));
        (succeeded, counts.to_owned())
    }

    /// Imports `Master.csv`.
    fn import_master(&self, content: impl AsRef<[u8]>, extra_args: &[&str]) -> (bool, String) {
        let file = self.write("Master.csv", content);
        self.import(&file, &[&["--format", "asterisk"], extra_args].concat())
    }

    /// Returns all calls, ordered by identifier.
    async fn calls(&self) -> Vec<Value> {
        let key = run(&self.data_dir(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
        let server = ServerProcess::start_with(&self.data_dir(), &[("LEADSCRIBE_RECOGNIZER", "off")]).await;
        let client = server.client().with_key(&key);
        let mut calls = client.get("/api/calls").await.expect(200)["items"].as_array().unwrap().clone();
        calls.sort_by_key(|call| call["original_identifier"].as_str().unwrap().to_owned());
        calls
    }
}

fn import_summary(rows: u64, inserted: u64, updated: u64, unchanged: u64, rejected: u64) -> String {
    format!("{rows} rows: {inserted} inserted, {updated} updated, {unchanged} unchanged, {rejected} rejected")
}

/// Returns identifier, direction, agent, status, and the size of the recording.
fn call_summary(call: &Value) -> Value {
    json!([call["original_identifier"], call["direction"], call["agent"], call["status"], call["recording"]["bytes"]])
}

fn file_size(path: &Path) -> u64 {
    std::fs::metadata(path).unwrap().len()
}

/// Returns a row for an outbound call of an extension.
fn outbound_row(extension: u16, uniqueid: &str) -> String {
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
    let rows = [
        outbound_row(101, "berlin-1777888800.5"),
        outbound_row(102, "1777888900.6"),
        outbound_row(103, "1777889000.7"),
    ];
    let monitor = pbx.path("monitor");
    let with_recordings = ["--recordings", monitor.to_str().unwrap()];
    assert_eq!(pbx.import_master(rows.concat(), &with_recordings), (true, import_summary(3, 3, 0, 0, 0)));
    assert_eq!(pbx.import_master(rows.concat(), &with_recordings), (true, import_summary(3, 0, 0, 3, 0)));
    let calls = pbx.calls().await;
    assert_eq!(
        calls.iter().map(call_summary).collect::<Vec<_>>(),
        [
            json!(["1777888900.6", "outbound", "102", "answered", file_size(&monitor.join("1777888900.6.wav"))]),
            json!(["1777889000.7", "outbound", "103", "answered", null]),
            json!([
                "berlin-1777888800.5",
                "outbound",
                "101",
                "answered",
                file_size(&monitor.join("2026/05/04/out-101-berlin-1777888800.5.wav"))
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
    let rows = [outbound_row(101, "1777888800.5"), outbound_row(102, "1777888900.6")].concat();
    let monitor = pbx.path("monitor");
    let (succeeded, reported) = pbx.import_master(&rows, &["--recordings", monitor.to_str().unwrap()]);
    assert_eq!((succeeded, reported), (false, import_summary(2, 2, 0, 0, 2)));
    let rejects = std::fs::read_to_string(pbx.path("Master.rejected.csv")).unwrap();
    assert!(
        rejects.contains("\n1,") && rejects.contains("recording: 1777888800.5.wav: ") && rejects.contains("without it"),
        "{rejects}"
    );
    assert!(rejects.contains("expected one recording for 1777888900.6"), "{rejects}");
    assert_eq!(pbx.calls().await.len(), 2);
}

#[tokio::test]
async fn numeric_trunk_names_are_set_by_options() {
    let pbx = Pbx::new();
    let row = outbound_row(12345, "1777888800.5").replace("PJSIP/line", "SIP/101").replace("03023125123", "101");
    assert_eq!(pbx.import_master(&row, &["--trunks", "12345,line-*"]), (true, import_summary(1, 1, 0, 0, 0)));
    assert_eq!(call_summary(&pbx.calls().await[0]), json!(["1777888800.5", "inbound", "101", "answered", null]));
    let file = pbx.write("Master.csv", row);
    let (succeeded, output) =
        run_to_end(&pbx.data_dir(), &[], &["import", "calls", &file, "--format", "asterisk", "--trunks", "a/b"]);
    assert!(!succeeded && output.contains("expected a pattern such as `1XX`"), "{output}");
}

#[tokio::test]
async fn imports_freepbx_reports() {
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
    let extra_args = ["--timezone", "Europe/Berlin", "--recordings", monitor.to_str().unwrap()];
    assert_eq!(pbx.import(&file, &extra_args), (true, import_summary(2, 2, 0, 0, 0)));
    assert_eq!(
        pbx.import(&file, &[&extra_args[..], &["--format", "asterisk"]].concat()),
        (true, import_summary(2, 0, 0, 2, 0))
    );
    let calls = pbx.calls().await;
    let expected = [
        json!(["1777888800.1", "outbound", "101", "answered", file_size(Path::new(&recording))]),
        json!(["1777889400.2", "inbound", null, "no_answer", null]),
    ];
    assert_eq!(calls.iter().map(call_summary).collect::<Vec<_>>(), expected);
    assert_eq!(calls[0]["started_at"], "2026-05-04T08:00:00Z");
}

#[tokio::test]
async fn latin_1_names_do_not_reject_calls() {
    let pbx = Pbx::new();
    let row = outbound_row(101, "1777888800.5").into_bytes();
    let latin = row.iter().flat_map(|byte| if *byte == b'x' { vec![b'J', 0xf6, b'r', b'g'] } else { vec![*byte] });
    assert_eq!(pbx.import_master(latin.collect::<Vec<_>>(), &[]), (true, import_summary(1, 1, 0, 0, 0)));
}

#[tokio::test]
async fn calls_imported_by_earlier_versions_are_matched() {
    let pbx = Pbx::new();
    let earlier_file =
        "original_identifier,direction,agent,status\n1777888800.5 PJSIP/line-0002,outbound,101,Answered\n";
    let earlier_file = pbx.write("earlier.csv", earlier_file);
    assert_eq!(pbx.import(&earlier_file, &[]), (true, import_summary(1, 1, 0, 0, 0)));
    assert_eq!(pbx.import_master(outbound_row(101, "1777888800.5"), &[]), (true, import_summary(1, 0, 1, 0, 0)));
    assert_eq!(pbx.import_master(outbound_row(101, "1777888800.5"), &[]), (true, import_summary(1, 0, 0, 1, 0)));
    assert_eq!(pbx.calls().await.iter().map(|call| &call["original_identifier"]).collect::<Vec<_>>(), ["1777888800.5"]);
}

#[test]
fn rejects_call_details_as_leads() {
    let pbx = Pbx::new();
    let master = pbx.write("Master.csv", outbound_row(101, "1777888800.5"));
    let output = run_failing(&pbx.data_dir(), &[], &["import", "leads", &master, "--format", "asterisk"]);
    assert!(output.contains("call detail records can only be imported as calls"), "{output}");
    for (time_zone, suggestion) in [("Europe/Berlim", "`Europe/Berlin`"), ("EST", "`America/New_York`")] {
        let args = ["import", "calls", &master, "--format", "asterisk", "--timezone", time_zone];
        let output = run_failing(&pbx.data_dir(), &[], &args);
        assert!(output.contains("--timezone: expected an IANA time zone") && output.contains(suggestion), "{output}");
    }
}
