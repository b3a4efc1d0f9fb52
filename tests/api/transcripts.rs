//! Transcripts as read by owners of tokens and by users, and the transcript search.

use leadscribe_engine::api::RecordingSide::{Callee, Caller};
use leadscribe_engine::diagnostic::{Message, work};
use serde_json::{Value, json};

use crate::harness::{Client, Response, Server, body};

const TRANSCRIPTS_PATH: &str = "/api/speech-recognition";

/// Creates a token; returns a client that uses it, and its secret.
async fn token_client(server: &Server, name: &str) -> (Client, String) {
    let token = server.create_speech_token(name).await;
    (server.anonymous().with_header("x-speech-token", &token), token)
}

/// Returns all of a response except its date.
fn comparable(response: &Response) -> (u16, Vec<(String, String)>, Vec<u8>) {
    let headers = response.headers.iter().filter(|(name, _)| *name != "date");
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    (response.status, headers.collect(), response.body.clone())
}

#[tokio::test]
async fn transcript_is_served_in_the_requested_format() {
    let server = Server::start().await;
    let (client, token) = token_client(&server, "Acme").await;
    let lines = [(Caller, "Good morning <b>"), (Callee, "Hello"), (Caller, "Goodbye")];
    let call = server.create_transcribed_call(&token, json!({}), &lines).await;
    let get_as = |accept: &'static str| {
        let client = client.with_header("accept", accept);
        async move { client.get(&format!("{TRANSCRIPTS_PATH}/{call}")).await }
    };
    let response = client.get(&format!("{TRANSCRIPTS_PATH}/{call}")).await;
    let transcript = response.expect(200);
    assert_eq!((&transcript["call_id"], &transcript["language"]), (&json!(call), &json!("en")));
    assert_eq!(transcript["engine"], json!({ "name": "test", "model": "none" }));
    let hello = json!({ "word": "Hello", "start": 1.5, "end": 2.5, "confidence": 0.9 });
    assert_eq!(transcript["segments"][1]["words"], json!([hello]));
    assert_eq!(response.header("content-language"), Some("en"));
    assert_eq!(response.header("cache-control"), Some("no-store"));
    assert_eq!(response.header("vary"), Some("Accept"));
    for (accept, media_type, expected) in [
        (
            "text/vtt",
            "text/vtt; charset=utf-8",
            "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n<v Caller>Good morning &lt;b&gt;\n\
             \n00:00:01.500 --> 00:00:02.500\n<v Callee>Hello\n\
             \n00:00:03.000 --> 00:00:04.000\n<v Caller>Goodbye\n",
        ),
        (
            "application/x-subrip",
            "application/x-subrip; charset=utf-8",
            "1\n00:00:00,000 --> 00:00:01,000\nCaller: Good morning <b>\n\
             \n2\n00:00:01,500 --> 00:00:02,500\nCallee: Hello\n\
             \n3\n00:00:03,000 --> 00:00:04,000\nCaller: Goodbye\n",
        ),
        (
            "application/json;q=0.1, text/*",
            "text/plain; charset=utf-8",
            "[00:00:00] Caller: Good morning <b>\n[00:00:01] Callee: Hello\n[00:00:03] Caller: Goodbye\n",
        ),
    ] {
        let response = get_as(accept).await;
        assert_eq!((response.status, response.header("content-type")), (200, Some(media_type)), "{accept}");
        assert_eq!(response.text(), expected);
        assert_eq!(response.header("content-language"), Some("en"));
    }
    let error_response = get_as("application/pdf, image/*").await;
    assert_eq!(
        error_response.expect_problem(406, "not_acceptable"),
        ["\"Accept\" not_acceptable: expected application/json, text/plain, text/vtt or application/x-subrip, \
          found \"application/pdf, image/*\""]
    );
}

#[tokio::test]
async fn foreign_unsent_and_missing_calls_look_the_same() {
    let server = Server::start().await;
    let (client, _) = token_client(&server, "Acme").await;
    let other = server.create_speech_token("Other").await;
    let queued_call = server.create_recorded_call(json!({})).await;
    server.submit_call(queued_call, &other).await;
    let client_with_request_id = client.with_header("x-request-id", "0190f3a2-7d4e-7c3b-9f60-5a1c2b3d4e5f");
    let queued_response = client_with_request_id.get(&format!("{TRANSCRIPTS_PATH}/{queued_call}")).await;
    server.complete_transcription(queued_call, &[(Caller, "a secret of the other")]).await;
    let failed_call = server.create_recorded_call(json!({})).await;
    server.submit_call(failed_call, &other).await;
    server.fail_transcription(failed_call, Message::from_stored("it is broken".to_owned())).await;
    let foreign_call = server.create_transcribed_call(&other, json!({}), &[(Caller, "another secret")]).await;
    let never_sent = server.create_recorded_call(json!({})).await;

    let missing_response = client_with_request_id.get(&format!("{TRANSCRIPTS_PATH}/987654321")).await;
    assert_eq!(
        missing_response.text(),
        "{\"type\":\"urn:leadscribe:problem:not_found\",\"title\":\"Not found\",\"status\":404,\"code\":\"not_found\",\
         \"detail\":\"this token can't read a transcript of this call\"}"
    );
    assert_eq!(comparable(&queued_response), comparable(&missing_response), "a call sent by another token");
    for (name, call) in [("failed", failed_call), ("another token's", foreign_call), ("never sent", never_sent)] {
        assert_eq!(
            comparable(&client_with_request_id.get(&format!("{TRANSCRIPTS_PATH}/{call}")).await),
            comparable(&missing_response),
            "{name}"
        );
        // In every format, and with any request id.
        let as_text =
            client_with_request_id.with_header("accept", "text/plain").get(&format!("{TRANSCRIPTS_PATH}/{call}")).await;
        assert_eq!(comparable(&as_text), comparable(&missing_response), "{name}");
        let other_request_response = client.get(&format!("{TRANSCRIPTS_PATH}/{call}")).await;
        assert_eq!(other_request_response.body, missing_response.body, "{name}");
    }
    server.purge_transcripts().await;
    assert_eq!(
        comparable(&client_with_request_id.get(&format!("{TRANSCRIPTS_PATH}/{foreign_call}")).await),
        comparable(&missing_response),
        "purged"
    );
    let found = client_with_request_id.get("/api/speech-recognition?search=secret").await.expect(200);
    assert_eq!(found, json!({ "items": [], "total": 0 }));
}

#[tokio::test]
async fn token_is_checked_before_reading_calls() {
    let server = Server::start().await;
    let (valid_client, token) = token_client(&server, "Acme").await;
    let call = server.create_transcribed_call(&token, json!({}), &[(Caller, "hello")]).await;
    let unknown_client = server.anonymous().with_header("x-speech-token", "ls_tok_unknown");
    let (stale_client, _) = token_client(&server, "Rotated").await;
    server.admin().post("/api/speech-tokens/2/rotate", "").await.expect(200);
    let (revoked_client, _) = token_client(&server, "Revoked").await;
    server.admin().delete("/api/speech-tokens/3").await.expect(200);
    let paths = [
        format!("{TRANSCRIPTS_PATH}/{call}"),
        format!("{TRANSCRIPTS_PATH}/987654321"),
        format!("{TRANSCRIPTS_PATH}/abc"),
        format!("{TRANSCRIPTS_PATH}?limit=bad"),
        format!("{TRANSCRIPTS_PATH}/requests/1"),
        format!("{TRANSCRIPTS_PATH}/webhook-secret"),
    ];
    for path in &paths {
        for (token_kind, client) in
            [("unknown", &unknown_client), ("stale", &stale_client), ("revoked", &revoked_client)]
        {
            let problem = client.get(path).await;
            problem.expect_problem(401, "invalid_token");
            assert_eq!(problem.json()["detail"], "the speech token is unknown or revoked", "{token_kind} {path}");
        }
        let missing_token_response = server.anonymous().get(path).await;
        missing_token_response.expect_problem(401, "invalid_token");
        assert_eq!(missing_token_response.json()["detail"], "expected a speech token in the header X-Speech-Token");
        // A token in the query would appear in logs.
        let separator = if path.contains('?') { '&' } else { '?' };
        server.anonymous().get(&format!("{path}{separator}token={token}")).await.expect_problem(401, "invalid_token");
    }
    // A key that accompanies a token needs the permission too, and doesn't replace the token.
    let with_token = |client: Client| client.with_header("x-speech-token", &token);
    with_token(server.client_with_scopes(&["leads:read"]).await).get(&paths[0]).await.expect_problem(403, "forbidden");
    with_token(server.client_with_scopes(&["speech:read"]).await).get(&paths[0]).await.expect(200);
    server.admin().get(&paths[0]).await.expect_problem(401, "invalid_token");
    valid_client.get(&paths[2]).await.expect_problem(400, "invalid_parameter");
}

#[tokio::test]
async fn owner_learns_why_there_is_no_transcript() {
    let server = Server::start().await;
    let (first_owner, token) = token_client(&server, "One").await;
    let (second_owner, other_token) = token_client(&server, "Other").await;
    let call = server.create_recorded_call(json!({})).await;
    server.submit_call(call, &token).await;
    let path = format!("{TRANSCRIPTS_PATH}/{call}");
    // The state of a pending transcription is JSON, whatever format is requested.
    let response = first_owner.with_header("accept", "text/vtt").get(&path).await;
    let pending_state = |id: u32, state: &str| json!({ "call_id": call, "transcription_id": id, "state": state, "queued_at": "2026-05-01T09:30:00Z" });
    assert_eq!(response.expect(202), pending_state(1, "queued"));
    assert_eq!(
        (response.header("retry-after"), response.header("content-type")),
        (Some("5"), Some("application/json"))
    );
    server.fail_transcription(call, work::recording_too_short(7_u32)).await;
    let failed = first_owner.get(&path).await;
    failed.expect_problem(409, "transcription_failed");
    let reason = "the current recording is shorter than 7 s";
    let detail = format!("the transcription failed: {reason}; the call can be sent again");
    assert_eq!(failed.json()["detail"], detail);
    let reason_data = json!({ "id": "recording_too_short", "args": { "seconds": "7" } });
    let data = json!({ "id": "transcription_failed", "args": { "reason": reason_data } });
    assert_eq!(failed.json()["message"], data);

    // Submitting the call again makes the second token its owner.
    server.submit_call(call, &other_token).await;
    first_owner.get(&path).await.expect_problem(404, "not_found");
    assert_eq!(second_owner.get(&path).await.expect(202), pending_state(2, "queued"));
    let claim = server.claim_transcription(call).await;
    assert_eq!(claim.transcription.id.0, 2);
    assert_eq!(second_owner.get(&path).await.expect(202), pending_state(2, "processing"));

    let completed_call = server.create_transcribed_call(&token, json!({}), &[(Caller, "hello")]).await;
    first_owner.get(&format!("{TRANSCRIPTS_PATH}/{completed_call}")).await.expect(200);
    server.purge_transcripts().await;
    let purged = first_owner.get(&format!("{TRANSCRIPTS_PATH}/{completed_call}")).await;
    purged.expect_problem(410, "transcript_purged");
    server
        .admin()
        .get(&format!("/api/calls/{completed_call}/transcript"))
        .await
        .expect_problem(410, "transcript_purged");

    let transcriptions =
        server.client_with_scopes(&["calls:read"]).await.get(&format!("/api/calls/{call}/transcriptions")).await;
    let transcriptions = transcriptions.expect(200);
    let summaries: Vec<_> = transcriptions
        .as_array()
        .unwrap()
        .iter()
        .map(|transcription| (&transcription["id"], &transcription["state"], &transcription["error"]))
        .collect();
    let (processing, failed) = (json!("processing"), json!("failed"));
    let too_short = json!({ "detail": reason, "message": reason_data });
    assert_eq!(summaries, [(&json!(2), &processing, &Value::Null), (&json!(1), &failed, &too_short)]);
    let unsubmitted_call = server.create_recorded_call(json!({})).await;
    let path = |call: i64| format!("/api/calls/{call}/transcriptions");
    assert_eq!(server.admin().get(&path(unsubmitted_call)).await.expect(200), json!([]));
}

#[tokio::test]
async fn staff_can_read_and_download_any_transcript() {
    let server = Server::start().await;
    let token = server.create_speech_token("Acme").await;
    let call = server.create_transcribed_call(&token, json!({}), &[(Caller, "hello")]).await;
    let viewer = server.logged_in_client("viewer").await;
    let path = format!("/api/calls/{call}/transcript");
    let default_response = viewer.get(&path).await;
    assert_eq!(default_response.expect(200)["segments"][0]["text"], "hello");
    assert_eq!(default_response.header("content-disposition"), None);
    let as_text = viewer.with_header("accept", "text/plain").get(&path).await;
    assert_eq!(as_text.text(), "[00:00:00] Caller: hello\n");
    for (format, extension, media_type) in [
        ("json", "json", "application/json"),
        ("vtt", "vtt", "text/vtt; charset=utf-8"),
        ("srt", "srt", "application/x-subrip; charset=utf-8"),
        ("text", "txt", "text/plain; charset=utf-8"),
    ] {
        // The query parameter takes precedence over the `Accept` header.
        let download = viewer.with_header("accept", "application/pdf").get(&format!("{path}?format={format}")).await;
        assert_eq!((download.status, download.header("content-type")), (200, Some(media_type)));
        let name = format!("attachment; filename=\"call-{call}.{extension}\"");
        assert_eq!(download.header("content-disposition"), Some(name.as_str()));
    }
    assert_eq!(
        viewer.get(&format!("{path}?format=pdf")).await.expect_problem(400, "invalid_parameter"),
        ["\"format\" not_permitted: expected json, text, vtt or srt, found \"pdf\""]
    );
    let unsubmitted_call = server.create_recorded_call(json!({})).await;
    let detail = |response: Response| response.json()["detail"].as_str().unwrap().to_owned();
    let unsubmitted_response = viewer.get(&format!("/api/calls/{unsubmitted_call}/transcript")).await;
    assert_eq!(detail(unsubmitted_response), "there is no such transcript");
    assert_eq!(detail(viewer.get("/api/calls/987654321/transcript").await), "there is no such call");
}

#[tokio::test]
async fn queued_transcription_can_be_cancelled_and_resubmitted() {
    let server = Server::start().await;
    let (client, token) = token_client(&server, "Acme").await;
    let completed_call = server.create_transcribed_call(&token, json!({}), &[(Caller, "hello")]).await;
    let queued_call = server.create_recorded_call(json!({})).await;
    server.submit_call(queued_call, &token).await;
    let cancel = |request: Value| {
        let admin = server.admin();
        async move { admin.post("/api/transcriptions/cancel", body(request)).await }
    };
    let request = json!({ "call_ids": [queued_call, completed_call, 987_654] });
    assert_eq!(cancel(request.clone()).await.expect(200), json!({ "cancelled": [queued_call] }));
    assert_eq!(cancel(request).await.expect(200), json!({ "cancelled": [] }));
    client.get(&format!("{TRANSCRIPTS_PATH}/{queued_call}")).await.expect_problem(409, "transcription_cancelled");
    let transcriptions = server.admin().get(&format!("/api/calls/{queued_call}/transcriptions")).await.expect(200);
    assert_eq!((&transcriptions[0]["state"], &transcriptions[0]["error"]), (&json!("cancelled"), &Value::Null));
    client.get(&format!("{TRANSCRIPTS_PATH}/{completed_call}")).await.expect(200);
    server.submit_call(queued_call, &token).await;

    for (request, pointer) in [
        (json!({ "call_ids": [] }), "/call_ids"),
        (json!({ "call_ids": (1..=1_001).collect::<Vec<_>>() }), "/call_ids"),
        (json!({ "call_ids": [1, 0] }), "/call_ids/1"),
        (json!({ "call_ids": ["1"] }), "/call_ids/0"),
    ] {
        let diagnostics = cancel(request).await.expect_problem(400, "invalid_request");
        assert_eq!(diagnostics.len(), 1);
        assert!(diagnostics[0].starts_with(&format!("{pointer:?}")), "{diagnostics:?}");
    }
    assert_eq!(
        cancel(json!({ "calls": [1] })).await.expect_problem(400, "invalid_request"),
        [
            "\"/calls\" unknown_key: field \"calls\" doesn't exist here",
            "\"/call_ids\" required: `call_ids` is required"
        ]
    );
}

#[tokio::test]
async fn transcript_reads_and_searches_are_audited() {
    let server = Server::start().await;
    let (client, token) = token_client(&server, "Acme").await;
    let call = server.create_transcribed_call(&token, json!({}), &[(Caller, "hello")]).await;
    client
        .with_header("x-request-id", "0190f3a2-7d4e-7c3b-9f60-5a1c2b3d4e5f")
        .get(&format!("{TRANSCRIPTS_PATH}/{call}"))
        .await
        .expect(200);
    client.get(&format!("{TRANSCRIPTS_PATH}?search=hello")).await.expect(200);
    let viewer = server.logged_in_client("viewer").await;
    viewer.get(&format!("/api/calls/{call}/transcript")).await.expect(200);
    viewer.get("/api/transcripts?search=hello").await.expect(200);
    // Requests that return no transcript aren't audited.
    client.get(&format!("{TRANSCRIPTS_PATH}/987654321")).await.expect_problem(404, "not_found");
    server.admin().get(&format!("/api/calls/{call}/transcriptions")).await.expect(200);
    let log = server.admin().get("/api/audit-log").await.expect(200);
    let entries = log["items"].as_array().unwrap().iter().rev().filter_map(|entry| {
        let [actor, action, subject] = ["actor", "action", "subject"].map(|name| entry[name].as_str().unwrap());
        action.starts_with("transcript.").then(|| (actor, format!("{action} {subject}"), &entry["request_id"]))
    });
    let entries: Vec<_> = entries.collect();
    let read_entry = format!("transcript.read call:{call}");
    let search_entry = "transcript.search transcripts".to_owned();
    let actual: Vec<_> =
        entries.iter().map(|(actor, action_and_subject, _)| (*actor, action_and_subject.clone())).collect();
    assert_eq!(
        actual,
        [
            ("speech_token:1", read_entry.clone()),
            ("speech_token:1", search_entry.clone()),
            ("user:1", read_entry),
            ("user:1", search_entry),
        ]
    );
    assert_eq!(entries[0].2, "0190f3a2-7d4e-7c3b-9f60-5a1c2b3d4e5f");
}

#[tokio::test]
async fn search_finds_only_the_tokens_transcripts() {
    let server = Server::start().await;
    let admin = server.admin();
    let campaign = admin.create("/api/campaigns", json!({ "name": "Solar" })).await;
    let lead = admin.create("/api/leads", json!({ "phone": "+1 212 555 0100" })).await;
    let (first_owner, token) = token_client(&server, "One").await;
    let (second_owner, other_token) = token_client(&server, "Other").await;
    let first_call = server
        .create_transcribed_call(
            &token,
            json!({ "campaign_id": campaign, "agent": "Grace" }),
            &[(Caller, "I want to cancel the delivery"), (Callee, "Of course")],
        )
        .await;
    server.advance(chrono::TimeDelta::hours(1));
    let second_call = server
        .create_transcribed_call(&token, json!({ "lead_id": lead }), &[(Callee, "The deliveries come on Monday")])
        .await;
    let foreign_call =
        server.create_transcribed_call(&other_token, json!({}), &[(Caller, "cancel the delivery")]).await;

    let page = first_owner.get(&format!("{TRANSCRIPTS_PATH}?phrase=cancel%20the%20delivery")).await.expect(200);
    assert_eq!(page["total"], 1);
    let hit = &page["items"][0];
    assert_eq!((&hit["call_id"], &hit["matches"], &hit["token_id"]), (&json!(first_call), &json!(1), &json!(1)));
    assert_eq!((&hit["campaign_name"], &hit["agent"]), (&json!("Solar"), &json!("Grace")));
    let passage = &hit["passages"][0];
    assert!(passage["text"].as_str().unwrap().contains("cancel the delivery"), "{passage}");
    assert_eq!((&passage["side"], &passage["end"]), (&json!("caller"), &json!(1.0)));

    let ids = |page: Value| {
        let ids = page["items"].as_array().unwrap().iter().map(|hit| hit["call_id"].as_i64().unwrap());
        (ids.collect::<Vec<_>>(), page["total"].as_u64().unwrap())
    };
    for (query, expected) in [
        ("", vec![second_call, first_call]),
        ("search=deliver*", vec![second_call, first_call]),
        ("search=deliver*%20monday", vec![second_call]),
        ("search=deliver*&phrase=of%20course", vec![first_call]),
        ("search=nothing", vec![]),
        ("language=EN", vec![second_call, first_call]),
        ("language=de", vec![]),
        ("from=2026-05-01%2010:00:00", vec![second_call]),
        ("till=2026-05-01T10:00:00Z", vec![first_call]),
        (&format!("campaign_id={campaign}"), vec![first_call]),
        (&format!("lead_id={lead}"), vec![second_call]),
        ("min_duration=6&max_duration=6.0", vec![second_call, first_call]),
        ("min_duration=6.1", vec![]),
        ("max_duration=5.9", vec![]),
    ] {
        let page = ids(first_owner.get(&format!("{TRANSCRIPTS_PATH}?{query}")).await.expect(200));
        assert_eq!(page, (expected.clone(), expected.len() as u64), "{query}");
    }
    assert_eq!(ids(first_owner.get(&format!("{TRANSCRIPTS_PATH}?limit=1;1")).await.expect(200)), (vec![first_call], 2));
    assert_eq!(
        ids(second_owner.get(&format!("{TRANSCRIPTS_PATH}?search=deliver*")).await.expect(200)),
        (vec![foreign_call], 1)
    );
    first_owner.get(&format!("{TRANSCRIPTS_PATH}?token_id=2")).await.expect_problem(400, "unknown_parameter");

    let viewer = server.logged_in_client("viewer").await;
    let all_results = ids(viewer.get("/api/transcripts?search=deliver*").await.expect(200));
    assert_eq!((all_results.0.len(), all_results.1), (3, 3));
    assert_eq!(ids(viewer.get("/api/transcripts?token_id=2").await.expect(200)), (vec![foreign_call], 1));
}

#[tokio::test]
async fn reports_all_errors_of_a_search() {
    let server = Server::start().await;
    let (client, _) = token_client(&server, "Acme").await;
    let query = "phrase=%3F&search=%22open&language=not+a+language&from=2026-05-02T00:00:00Z&till=2026-05-01%2000:00:00\
                 &campaign_id=0&lead_id=x&min_duration=-1&max_duration=1e3&limit=5000";
    let diagnostics = client.get(&format!("{TRANSCRIPTS_PATH}?{query}")).await.expect_problem(400, "invalid_parameter");
    let parameters: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.split('"').nth(1).unwrap()).collect();
    let expected =
        ["campaign_id", "lead_id", "min_duration", "max_duration", "phrase", "search", "language", "till", "limit"];
    assert_eq!(parameters, expected, "{diagnostics:?}");
    let staff_response = server.logged_in_client("viewer").await.get(&format!("/api/transcripts?{query}")).await;
    assert_eq!(staff_response.expect_problem(400, "invalid_parameter").len(), 9);
    let misspelled_response = client.get(&format!("{TRANSCRIPTS_PATH}?phrases=x")).await;
    misspelled_response.expect_problem(400, "unknown_parameter");
    assert_eq!(misspelled_response.json()["errors"][0]["suggestion"]["detail"], "did you mean `phrase`?");
}

#[tokio::test]
async fn recognizer_state_is_reported() {
    let server = Server::start().await;
    let token = server.create_speech_token("Acme").await;
    let path = "/api/speech-recognition/recognizer";
    let status = |queued: u32, oldest_queued_at: Value| {
        json!({
            "state": "off", "engine": null, "error": null, "command": null,
            "queued": queued, "oldest_queued_at": oldest_queued_at
        })
    };
    assert_eq!(server.admin().get(path).await.expect(200), status(0, Value::Null));
    let call = server.create_recorded_call(json!({})).await;
    server.submit_call(call, &token).await;
    let viewer = server.logged_in_client("viewer").await;
    assert_eq!(viewer.get(path).await.expect(200), status(1, json!("2026-05-01T09:30:00Z")));
}

#[tokio::test]
async fn waveform_is_computed_once() {
    let server = Server::start().await;
    let call = server.create_recorded_call(json!({})).await;
    let client = server.admin();
    let path = format!("/api/calls/{call}/recording/peaks");
    let response = client.get(&format!("{path}?count=3")).await;
    assert_eq!(response.expect(200), json!({ "duration": 6.0, "channels": [[0, 0, 0], [0, 0, 0]] }));
    assert_eq!(response.header("cache-control"), Some("private, no-cache"));
    let etag = response.header("etag").unwrap();
    let conditional_client = client.with_header("if-none-match", etag);
    assert_eq!(conditional_client.get(&format!("{path}?count=3")).await.status, 304);
    let default_count_response = conditional_client.get(&path).await;
    assert_eq!(
        default_count_response.expect(200)["channels"][0].as_array().unwrap().len(),
        800,
        "a different count has a different ETag"
    );
    for (count, actual) in [("0", "\"0\""), ("4001", "\"4001\""), ("x", "\"x\""), ("", "\"\""), ("%2B5", "\"+5\"")] {
        assert_eq!(
            client.get(&format!("{path}?count={count}")).await.expect_problem(400, "invalid_parameter"),
            [format!("\"count\" out_of_range: expected a whole number from 1 to 4000, found {actual}")]
        );
    }
    let call_without_recording = client.create_call().await;
    client.get(&format!("/api/calls/{call_without_recording}/recording/peaks")).await.expect_problem(404, "not_found");
}
