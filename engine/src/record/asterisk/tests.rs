//! Tests assembling calls from the rows of a file.

use super::*;
use crate::api::{CallStatus, Direction};
use crate::record::CsvReader;

/// A row as written by `cdr_csv` with `newcdrcolumns=yes`.
#[derive(Clone, Copy)]
struct Row {
    src: &'static str,
    dst: &'static str,
    channel: &'static str,
    dstchannel: &'static str,
    lastapp: &'static str,
    start: &'static str,
    duration: &'static str,
    billsec: &'static str,
    disposition: &'static str,
    uniqueid: &'static str,
    linkedid: &'static str,
    sequence: &'static str,
}

/// An outbound call from 101.
const OUTBOUND: Row = Row {
    src: "101",
    dst: "004930901820",
    channel: "PJSIP/101-0000002a",
    dstchannel: "PJSIP/line-0000002b",
    lastapp: "Dial",
    start: "2026-05-01 11:30:00",
    duration: "42",
    billsec: "37",
    disposition: "ANSWERED",
    uniqueid: "1777627800.42",
    linkedid: "1777627800.42",
    sequence: "1",
};

/// The first record of an inbound call that a menu answers.
const MENU: Row = Row {
    src: "+493023125123",
    dst: "s",
    channel: "PJSIP/line-0010",
    dstchannel: "",
    lastapp: "Playback",
    start: "2026-05-04 10:00:00",
    duration: "65",
    billsec: "65",
    uniqueid: "1777888800.10",
    linkedid: "1777888800.10",
    ..OUTBOUND
};

/// The record of a queue that calls 101, and the records of the agents it called.
const QUEUE: [Row; 3] = [
    Row {
        dst: "700",
        channel: "PJSIP/line-0020",
        dstchannel: "Local/101@from-queue-0001;1",
        lastapp: "Queue",
        duration: "120",
        billsec: "115",
        uniqueid: "1777888800.20",
        linkedid: "1777888800.20",
        ..MENU
    },
    Row {
        dst: "101",
        channel: "Local/101@from-queue-0001;2",
        dstchannel: "PJSIP/101-0021",
        lastapp: "Dial",
        start: "2026-05-04 10:00:01",
        duration: "119",
        billsec: "115",
        uniqueid: "1777888801.22",
        linkedid: "1777888800.20",
        sequence: "2",
        ..MENU
    },
    Row {
        dst: "102",
        channel: "Local/102@from-queue-0002;2",
        dstchannel: "PJSIP/102-0022",
        lastapp: "Dial",
        start: "2026-05-04 10:00:01",
        duration: "4",
        billsec: "0",
        disposition: "NO ANSWER",
        uniqueid: "1777888801.24",
        linkedid: "1777888800.20",
        sequence: "3",
        ..MENU
    },
];

impl Row {
    fn cells(&self, width: usize) -> Vec<&'static str> {
        let Self { src, dst, channel, dstchannel, lastapp, start, duration, billsec, disposition, .. } = *self;
        let cells = vec![
            "",
            src,
            dst,
            "plan",
            "\"x\" <101>",
            channel,
            dstchannel,
            lastapp,
            "x,30",
            start,
            "",
            start,
            duration,
            billsec,
            disposition,
            "DOCUMENTATION",
            self.uniqueid,
            "",
            "",
            self.linkedid,
            self.sequence,
        ];
        cells.into_iter().take(width).collect()
    }
}

/// Returns the calls of a file with rows of this width, and the positions of their rows.
fn calls(width: usize, rows: &[Row]) -> Vec<(CallRecord, Vec<usize>)> {
    let details =
        CallDetailReader::new(&CallDetailReader::columns(width), &Mapping::default()).expect("a valid header");
    let mut assembler = CallAssembler::new(details);
    rows.iter().for_each(|row| assembler.scan(&row.cells(width)));
    let mut calls = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let result = assembler.push(&row.cells(width), index);
        assert_eq!(result.rejected, None);
        calls.extend(result.completed_call);
    }
    assert_eq!(assembler.finish(), []);
    calls.into_iter().map(|AssembledCall { call, rows }| (call, rows)).collect()
}

/// Returns the single call of these rows.
fn one_call(rows: &[Row]) -> CallRecord {
    let mut calls = calls(21, rows);
    assert_eq!(calls.len(), 1);
    calls.remove(0).0
}

fn parse_row(zone: &str, row: Row) -> Result<CallRecord, Vec<String>> {
    let mapping = Mapping { timezone: Some(zone.to_owned()), ..Mapping::default() };
    let details = CallDetailReader::new(&CallDetailReader::columns(18), &mapping).expect("a valid header");
    details.single_call(&row.cells(18)).map_err(|diagnostics| {
        diagnostics
            .iter()
            .map(|diagnostic| format!("{:?} {}: {}", diagnostic.location, diagnostic.code, diagnostic.message))
            .collect()
    })
}

fn some_time(text: &str) -> Option<Option<crate::api::Timestamp>> {
    Some(Some(crate::time::parse(text).expect(text)))
}

fn some_text(text: &str) -> Option<Option<String>> {
    Some(Some(text.to_owned()))
}

fn seconds(call: &CallRecord) -> i64 {
    (call.ended_at.flatten().expect("an end") - call.started_at.flatten().expect("a start")).num_seconds()
}

/// Returns direction, agent, status, caller and callee.
fn summary(call: &CallRecord) -> [String; 5] {
    let text = |field: &Option<Option<String>>| field.clone().flatten().unwrap_or_default();
    let direction = call.direction.map(Direction::as_str).unwrap_or_default().to_owned();
    let status = call.status.map(CallStatus::as_str).unwrap_or_default().to_owned();
    [direction, text(&call.agent), status, text(&call.caller_number), text(&call.callee_number)]
}

#[test]
fn assembles_call_from_single_record() {
    let call = parse_row("Europe/Berlin", OUTBOUND).expect("valid input");
    assert_eq!(summary(&call), ["outbound", "101", "answered", "101", "004930901820"]);
    assert_eq!(call.original_identifier, some_text("1777627800.42"));
    assert_eq!(
        (call.started_at, call.ended_at),
        (some_time("2026-05-01T09:30:00Z"), some_time("2026-05-01T09:30:42Z"))
    );
    assert_eq!(call.created_at, some_time("2026-05-01T09:30:00Z").flatten());
    let details = call.details.expect("the call has details");
    assert_eq!(details.earlier_identifiers, ["1777627800.42 PJSIP/line-0000002b"]);
    let missed = Row { disposition: "No Answer", uniqueid: "pbx-1777627800.43", ..MENU };
    let call = parse_row("UTC", missed).expect("valid input");
    assert_eq!(summary(&call), ["inbound", "", "no_answer", "+493023125123", ""]);
    assert_eq!(call.original_identifier, some_text("pbx-1777627800.43"));
}

#[test]
fn uniqueid_disambiguates_repeated_hours() {
    let started_at = |uniqueid| {
        let row = Row { start: "2026-10-25 02:30:00", uniqueid, ..OUTBOUND };
        parse_row("Europe/Berlin", row).map(|call| call.started_at)
    };
    assert_eq!(started_at("1792888200.1"), Ok(some_time("2026-10-25T00:30:00Z")));
    assert_eq!(started_at("pbx.1-1792891801.1"), Ok(some_time("2026-10-25T01:30:00Z")));
}

#[test]
fn errors_name_their_columns() {
    let invalid_row =
        Row { start: "2026-03-29 02:30:00", duration: "long", disposition: "GONE", uniqueid: "", ..OUTBOUND };
    assert_eq!(
        parse_row("Europe/Berlin", invalid_row),
        Err(vec![
            "Column(\"uniqueid\") missing_identifier: the row needs a `uniqueid` that identifies the call".to_owned(),
            "Column(\"disposition\") not_permitted: expected one of ANSWERED, NO ANSWER, BUSY, FAILED, CONGESTION, found \"GONE\"".to_owned(),
            "Column(\"start\") no_such_time: `2026-03-29 02:30:00` doesn't exist in Europe/Berlin, because clocks were set forward".to_owned(),
            "Column(\"duration\") invalid_number: expected 0 to 31622400 seconds, found \"long\"".to_owned(),
        ])
    );
    let mapping = Mapping { timezone: Some("Europe/Berlim".to_owned()), ..Mapping::default() };
    let diagnostics =
        CallDetailReader::new(&CallDetailReader::columns(16), &mapping).expect_err("the header is rejected");
    let codes: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect();
    assert_eq!(codes, ["unknown_time_zone", "wrong_number_of_cells"]);
    assert!(
        CallDetailReader::new(&CallDetailReader::columns(26), &Mapping::default()).is_err(),
        "columns without names"
    );
}

#[test]
fn joins_records_of_one_channel() {
    let queue = Row {
        dst: "700",
        lastapp: "Queue",
        start: "2026-05-04 10:01:05",
        duration: "0",
        billsec: "0",
        disposition: "NO ANSWER",
        sequence: "2",
        ..MENU
    };
    let call = one_call(&[MENU, queue]);
    assert_eq!(summary(&call), ["inbound", "", "answered", "+493023125123", "700"]);
    assert_eq!(seconds(&call), 65);
    assert_eq!(one_call(&[queue, MENU]).ended_at, call.ended_at);

    let ringing = Row { dst: "101", dstchannel: "PJSIP/101-0012", disposition: "NO ANSWER", duration: "20", ..MENU };
    let voicemail = Row {
        dst: "vmu101",
        lastapp: "VoiceMail",
        start: "2026-05-04 10:00:20",
        duration: "45",
        sequence: "2",
        ..MENU
    };
    let call = one_call(&[ringing, voicemail]);
    assert_eq!(summary(&call), ["inbound", "", "answered", "+493023125123", "101"]);
    assert_eq!(seconds(&call), 65);
    assert_eq!(one_call(&[voicemail]).callee_number, some_text("101"));
}

#[test]
fn joins_queue_agents_into_one_call() {
    let expected = ["inbound", "101", "answered", "+493023125123", "700"];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let call = one_call(&order.map(|index| QUEUE[index]));
        assert_eq!(summary(&call), expected);
        assert_eq!((seconds(&call), call.original_identifier), (120, some_text("1777888800.20")));
    }
    // Without `linkedid`, the names of the Local channels link the answering agent's records.
    let calls_without_linkedid = calls(18, &QUEUE);
    let row_indexes: Vec<_> = calls_without_linkedid.iter().map(|(_, row_indexes)| row_indexes.clone()).collect();
    assert_eq!(row_indexes, [vec![0, 1], vec![2]]);
    assert_eq!(summary(&calls_without_linkedid[0].0), expected);
    assert_eq!(summary(&calls_without_linkedid[1].0), ["inbound", "102", "no_answer", "+493023125123", "102"]);
}

#[test]
fn ignores_constant_linkedids() {
    let rows = ["0", "none", "default"].map(|linkedid| Row { linkedid, ..OUTBOUND });
    let other = Row { uniqueid: "1777627900.50", linkedid: "0", ..OUTBOUND };
    assert_eq!(calls(21, &[rows[0], other]).len(), 2);
    assert_eq!(one_call(&rows).original_identifier, some_text("1777627800.42"));
}

#[test]
fn agent_is_the_extension_with_most_talk_time() {
    let transferred = Row {
        dst: "102",
        channel: "PJSIP/line-0000002b",
        dstchannel: "PJSIP/102-0000002c",
        start: "2026-05-01 11:30:42",
        duration: "300",
        billsec: "290",
        uniqueid: "1777627800.43",
        sequence: "2",
        ..OUTBOUND
    };
    let call = one_call(&[OUTBOUND, transferred]);
    assert_eq!(summary(&call), ["outbound", "102", "answered", "101", "004930901820"]);
    assert_eq!(seconds(&call), 342);
    let short = Row { billsec: "5", ..transferred };
    assert_eq!(one_call(&[OUTBOUND, short]).agent, some_text("101"));
    // Talk time between agents doesn't count for the call.
    let consultation = Row { src: "101", channel: "PJSIP/101-0000002d", ..transferred };
    assert_eq!(one_call(&[OUTBOUND, consultation]).agent, some_text("101"));
}

#[test]
fn unanswered_call_to_several_agents_has_no_agent() {
    let ringing = Row { disposition: "NO ANSWER", billsec: "0", ..QUEUE[0] };
    let legs = [Row { disposition: "NO ANSWER", ..QUEUE[1] }, QUEUE[2]];
    assert_eq!(summary(&one_call(&[ringing, legs[0], legs[1]]))[..3], ["inbound", "", "no_answer"]);
    assert_eq!(summary(&one_call(&[ringing, legs[0]]))[..3], ["inbound", "101", "no_answer"]);
}

#[test]
fn rows_of_a_call_need_not_be_adjacent() {
    let calls = calls(21, &[QUEUE[2], OUTBOUND, QUEUE[1], MENU, QUEUE[0]]);
    let row_indexes: Vec<_> = calls.into_iter().map(|(_, row_indexes)| row_indexes).collect();
    assert_eq!(row_indexes, [vec![1], vec![3], vec![0, 2, 4]]);
}

#[test]
fn rejected_row_keeps_the_rest_of_its_call() {
    let invalid = Row { duration: "", ..QUEUE[0] };
    let details = CallDetailReader::new(&CallDetailReader::columns(21), &Mapping::default()).expect("a valid header");
    let mut assembler = CallAssembler::new(details);
    let rows = [QUEUE[1], QUEUE[2], invalid].map(|row| row.cells(21));
    rows.iter().for_each(|cells| assembler.scan(cells));
    assert_eq!(assembler.push(&rows[0], 1), RowResult { rejected: None, completed_call: None });
    assert_eq!(assembler.push(&rows[1], 2), RowResult { rejected: None, completed_call: None });
    let RowResult { rejected, completed_call } = assembler.push(&rows[2], 3);
    let (row, diagnostics) = rejected.expect("the row has no duration");
    assert_eq!((row, diagnostics[0].code.as_str()), (3, "invalid_number"));
    let call = completed_call.expect("the row completes its call");
    assert_eq!((summary(&call.call)[..3].join(" "), call.rows), ("inbound 101 answered".to_owned(), vec![1, 2]));
    assert!(call.call.details.expect("the call has details").is_partial);
}

#[test]
fn partial_records_do_not_overwrite_a_call() {
    let store = |rows: &[Row]| {
        one_call(rows)
            .create(crate::api::CallId(1), some_time("2026-06-01T00:00:00Z").flatten().expect("a valid time"))
            .expect("a valid call")
    };
    let complete_call = store(&QUEUE);
    for partial_rows in [&QUEUE[2..], &QUEUE[1..2], &QUEUE[..1], &QUEUE[1..]] {
        let mut call = complete_call.clone();
        one_call(partial_rows).apply(&mut call);
        assert_eq!(call, complete_call, "{}", partial_rows[0].uniqueid);
    }
    // The second import completes the records of the first one.
    for first in [&QUEUE[2..], &QUEUE[1..2], &QUEUE[..1]] {
        let mut call = store(first);
        one_call(&QUEUE).apply(&mut call);
        assert_eq!(call, complete_call, "{}", first[0].uniqueid);
    }
    let mut call = store(&QUEUE[2..]);
    one_call(&QUEUE[1..2]).apply(&mut call);
    assert_eq!((call.status, call.agent.as_deref()), (CallStatus::Answered, Some("101")));
}

#[test]
fn joins_records_of_a_channel_from_two_files() {
    let store = |row| {
        one_call(&[row])
            .create(crate::api::CallId(1), some_time("2026-06-01T00:00:00Z").flatten().expect("a valid time"))
            .expect("a valid call")
    };
    let second = Row { dst: "101", start: "2026-05-04 10:00:20", duration: "300", sequence: "2", ..MENU };
    for (first, then) in [(MENU, second), (second, MENU)] {
        let mut call = store(first);
        for row in [then, first, then] {
            one_call(&[row]).apply(&mut call);
            let (started, ended) = (call.started_at, call.ended_at);
            assert_eq!(started, some_time("2026-05-04T10:00:00Z").flatten(), "{}", row.sequence);
            assert_eq!(ended, some_time("2026-05-04T10:05:20Z").flatten(), "{}", row.sequence);
            assert_eq!(call.callee_number, one_call(&[MENU]).callee_number.flatten(), "{}", row.sequence);
        }
    }
}

#[test]
fn mapped_trunks_determine_the_direction() {
    let row = Row { src: "12345", dst: "101", channel: "SIP/12345-01", dstchannel: "SIP/101-02", ..OUTBOUND };
    let read = |mapping: &str| {
        let mapping = Mapping::from_json(mapping).expect("a valid mapping");
        let details = CallDetailReader::new(&CallDetailReader::columns(21), &mapping).expect("a valid header");
        summary(&details.single_call(&row.cells(21)).expect("a valid record"))[..2].join(" ")
    };
    assert_eq!(read("{}"), "outbound 12345");
    assert_eq!(read(r#"{"trunks":["12345"]}"#), "inbound 101");
    assert_eq!(read(r#"{"extensions":["1XX"]}"#), "inbound 101");
    let diagnostics =
        Mapping::from_json(r#"{"trunks":["a/b"],"extensions":"1XX"}"#).expect_err("the patterns are invalid");
    let pointers_and_codes: Vec<_> =
        diagnostics.iter().map(|diagnostic| (format!("{:?}", diagnostic.location), diagnostic.code.as_str())).collect();
    assert_eq!(
        pointers_and_codes,
        [("Pointer(\"/trunks\")".to_owned(), "invalid_pattern"), ("Pointer(\"/extensions\")".to_owned(), "wrong_type")]
    );
}

#[test]
fn reads_freepbx_reports_by_header() {
    let header = "calldate,clid,src,dst,dcontext,channel,dstchannel,lastapp,lastdata,duration,billsec,disposition,amaflags,\
         accountcode,uniqueid,userfield,did,recordingfile,cnum,cnam,outbound_cnum,outbound_cnam,dst_cnam,linkedid,peeraccount,\
         sequence";
    let header: Vec<_> = header.split(',').collect();
    let row = "2026-05-04 10:00:00,,101,03023125123,from-internal,PJSIP/101-0001,PJSIP/line-0002,Dial,x,42,37,ANSWERED,3,,\
         1777888800.1,,,2026/05/04/out-1777888800.1.wav,101,Ada,,,,1777888800.1,,1";
    let cells: Vec<_> = row.split(',').collect();
    let reader = CsvReader::<CallRecord>::new(&header, &Mapping::default()).expect("a known header");
    let call = reader.row(&cells).expect("valid input");
    assert_eq!(summary(&call), ["outbound", "101", "answered", "101", "03023125123"]);
    assert_eq!(call.details.expect("the call has details").recordings, ["out-1777888800.1.wav"]);
    let invalid_cells: Vec<_> = std::iter::once("yesterday").chain(cells[1..].iter().copied()).collect();
    let diagnostics = reader.row(&invalid_cells).expect_err("the row has no time");
    assert_eq!(diagnostics[0].location, Location::Column("calldate".to_owned()));
    // If the mapping names the direction, the file isn't read as call detail records.
    let custom_mapping = Mapping::from_json(r#"{"columns":{"userfield":"direction"}}"#).expect("a valid mapping");
    let diagnostics = CsvReader::<CallRecord>::new(&header, &custom_mapping).err().expect("most columns aren't fields");
    assert_eq!(diagnostics[0].code, "unknown_column");
}

#[test]
fn recognizes_master_files_by_their_first_row() {
    assert!(CallDetailReader::is_record(&OUTBOUND.cells(18)));
    assert!(!CallDetailReader::is_record(&CallDetailReader::columns(18)));
    assert!(!CallDetailReader::is_record(&["ANSWERED"]));
}

#[test]
fn maps_columns_to_fields() {
    let fields_of = |column| CallDetailReader::fields_from(column).collect::<Vec<_>>();
    assert_eq!(fields_of("start"), ["started_at", "created_at"]);
    assert_eq!(fields_of("calldate"), fields_of("start"));
    assert_eq!(fields_of("lastapp"), [""; 0]);
    assert!(CallDetailReader::must_be_utf8("src") && !CallDetailReader::must_be_utf8("clid"));
}
