//! Transcripts as read by owners of tokens and by users, and the transcript search.

use leadscribe_engine::api::RecordingSide::{Callee, Caller};
use serde_json::{Value, json};

use crate::harness::{Answer, Client, Server, body};

const OWN: &str = "/api/speech-recognition";

/// Creates a token; returns a client that uses it, and its secret.
async fn holder(server: &Server, name: &str) -> (Client, String) {
    let token = server.speech_token(name).await;
    (server.anonymous().with_header("x-speech-token", &token), token)
}

/// Returns all of a response except its date.
fn whole(answer: &Answer) -> (u16, Vec<(String, String)>, Vec<u8>) {
    let headers = answer.headers.iter().filter(|(name, _)| *name != "date");
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    (answer.status, headers.collect(), answer.body.clone())
}

#[tokio::test]
async fn transcript_is_served_in_the_requested_format() {
    let server = Server::start().await;
    let (holder, token) = holder(&server, "Acme").await;
    let said = [(Caller, "Good morning <b>"), (Callee, "Hello"), (Caller, "Goodbye")];
    let call = server.transcribed_call(&token, json!({}), &said).await;
    let read = |accept: &'static str| {
        let holder = holder.with_header("accept", accept);
        async move { holder.get(&format!("{OWN}/{call}")).await }
    };
    let answer = holder.get(&format!("{OWN}/{call}")).await;
    let transcript = answer.expect(200);
    assert_eq!((&transcript["call_id"], &transcript["language"]), (&json!(call), &json!("en")));
    assert_eq!(transcript["engine"], json!({ "name": "test", "model": "none" }));
    let hello = json!({ "word": "Hello", "start": 1.5, "end": 2.5, "confidence": 0.9 });
    assert_eq!(transcript["segments"][1]["words"], json!([hello]));
    assert_eq!(answer.header("content-language"), Some("en"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("vary"), Some("Accept"));
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
        let answer = read(accept).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(media_type)), "{accept}");
        assert_eq!(answer.text(), expected);
        assert_eq!(answer.header("content-language"), Some("en"));
    }
    let refused = read("application/pdf, image/*").await;
    assert_eq!(
        refused.refused(406, "not_acceptable"),
        ["\"Accept\" not_acceptable: expected one of application/json, text/plain, text/vtt, application/x-subrip, \
          found \"application/pdf, image/*\""]
    );
}

#[tokio::test]
async fn foreign_unsent_and_missing_calls_look_the_same() {
    let server = Server::start().await;
    let (holder, _) = holder(&server, "Acme").await;
    let other = server.speech_token("Other").await;
    let queued = server.recorded_call(json!({})).await;
    server.submit(queued, &other).await;
    let asked = holder.with_header("x-request-id", "0190f3a2-7d4e-7c3b-9f60-5a1c2b3d4e5f");
    let of_queued = asked.get(&format!("{OWN}/{queued}")).await;
    server.complete(queued, &[(Caller, "a secret of the other")]).await;
    let failed = server.recorded_call(json!({})).await;
    server.submit(failed, &other).await;
    server.fail(failed, "it is broken").await;
    let theirs = server.transcribed_call(&other, json!({}), &[(Caller, "another secret")]).await;
    let never_sent = server.recorded_call(json!({})).await;

    let none = asked.get(&format!("{OWN}/987654321")).await;
    assert_eq!(
        none.text(),
        "{\"type\":\"urn:leadscribe:problem:not_found\",\"title\":\"Not found\",\"status\":404,\"code\":\"not_found\",\
         \"detail\":\"this token has no transcript of such a call\"}"
    );
    assert_eq!(whole(&of_queued), whole(&none), "one that another token has sent");
    for (name, call) in [("failed", failed), ("theirs", theirs), ("never sent", never_sent)] {
        assert_eq!(whole(&asked.get(&format!("{OWN}/{call}")).await), whole(&none), "{name}");
        // In every format, and with any request id.
        let as_text = asked.with_header("accept", "text/plain").get(&format!("{OWN}/{call}")).await;
        assert_eq!(whole(&as_text), whole(&none), "{name}");
        let unnamed = holder.get(&format!("{OWN}/{call}")).await;
        assert_eq!(unnamed.body, none.body, "{name}");
    }
    server.purge_transcripts().await;
    assert_eq!(whole(&asked.get(&format!("{OWN}/{theirs}")).await), whole(&none), "purged");
    let found = asked.get("/api/speech-recognition?words=secret").await.expect(200);
    assert_eq!(found, json!({ "items": [], "total": 0 }));
}

#[tokio::test]
async fn token_is_checked_before_reading_calls() {
    let server = Server::start().await;
    let (holder, token) = holder(&server, "Acme").await;
    let call = server.transcribed_call(&token, json!({}), &[(Caller, "hello")]).await;
    let unknown = server.anonymous().with_header("x-speech-token", "ls_tok_unknown");
    let (stale, _) = self::holder(&server, "Rotated").await;
    server.admin().post("/api/speech-tokens/2/rotate", "").await.expect(200);
    let (revoked, _) = self::holder(&server, "Revoked").await;
    server.admin().delete("/api/speech-tokens/3").await.expect(200);
    let paths = [
        format!("{OWN}/{call}"),
        format!("{OWN}/987654321"),
        format!("{OWN}/abc"),
        format!("{OWN}?limit=bad"),
        format!("{OWN}/requests/1"),
        format!("{OWN}/webhook-secret"),
    ];
    for path in &paths {
        for (who, client) in [("unknown", &unknown), ("stale", &stale), ("revoked", &revoked)] {
            let problem = client.get(path).await;
            problem.refused(401, "invalid_token");
            assert_eq!(problem.json()["detail"], "the speech recognition token is unknown or revoked", "{who} {path}");
        }
        let missing = server.anonymous().get(path).await;
        missing.refused(401, "invalid_token");
        assert_eq!(missing.json()["detail"], "expected a speech recognition token in the header X-Speech-Token");
        // A token in the query would appear in logs.
        let separator = if path.contains('?') { '&' } else { '?' };
        server.anonymous().get(&format!("{path}{separator}token={token}")).await.refused(401, "invalid_token");
    }
    // A key that accompanies a token needs the permission too, and doesn't replace the token.
    let beside = |client: Client| client.with_header("x-speech-token", &token);
    beside(server.with_scopes(&["leads:read"]).await).get(&paths[0]).await.refused(403, "forbidden");
    beside(server.with_scopes(&["speech:read"]).await).get(&paths[0]).await.expect(200);
    server.admin().get(&paths[0]).await.refused(401, "invalid_token");
    holder.get(&paths[2]).await.refused(400, "invalid_parameter");
}

#[tokio::test]
async fn owner_learns_why_there_is_no_transcript() {
    let server = Server::start().await;
    let (one, token) = holder(&server, "One").await;
    let (other, other_token) = holder(&server, "Other").await;
    let call = server.recorded_call(json!({})).await;
    server.submit(call, &token).await;
    let path = format!("{OWN}/{call}");
    // The state of a pending transcription is JSON, whatever format is requested.
    let answer = one.with_header("accept", "text/vtt").get(&path).await;
    let pending = |id: u32, state: &str| json!({ "call_id": call, "transcription_id": id, "state": state, "queued_at": "2026-05-01T09:30:00Z" });
    assert_eq!(answer.expect(202), pending(1, "queued"));
    assert_eq!((answer.header("retry-after"), answer.header("content-type")), (Some("5"), Some("application/json")));
    server.fail(call, "the file is damaged").await;
    let failed = one.get(&path).await;
    failed.refused(409, "transcription_failed");
    let detail = "the transcription failed: the file is damaged; the call can be sent again";
    assert_eq!(failed.json()["detail"], detail);

    // Submitting the call again makes the second token its owner.
    server.submit(call, &other_token).await;
    one.get(&path).await.refused(404, "not_found");
    assert_eq!(other.get(&path).await.expect(202), pending(2, "queued"));
    let claim = server.begin(call).await;
    assert_eq!(claim.transcription.id.0, 2);
    assert_eq!(other.get(&path).await.expect(202), pending(2, "processing"));

    let done = server.transcribed_call(&token, json!({}), &[(Caller, "hello")]).await;
    one.get(&format!("{OWN}/{done}")).await.expect(200);
    server.purge_transcripts().await;
    let purged = one.get(&format!("{OWN}/{done}")).await;
    purged.refused(410, "transcript_purged");
    server.admin().get(&format!("/api/calls/{done}/transcript")).await.refused(410, "transcript_purged");

    let work = server.with_scopes(&["calls:read"]).await.get(&format!("/api/calls/{call}/transcriptions")).await;
    let work = work.expect(200);
    let shown: Vec<_> = work.as_array().unwrap().iter().map(|one| (&one["id"], &one["state"], &one["error"])).collect();
    let (processing, failed) = (json!("processing"), json!("failed"));
    let damaged = json!({ "detail": "the file is damaged" });
    assert_eq!(shown, [(&json!(2), &processing, &Value::Null), (&json!(1), &failed, &damaged)]);
    let never = server.recorded_call(json!({})).await;
    let path = |call: i64| format!("/api/calls/{call}/transcriptions");
    assert_eq!(server.admin().get(&path(never)).await.expect(200), json!([]));
    server.admin().get(&path(987_654_321)).await.refused(404, "not_found");
}

#[tokio::test]
async fn staff_can_read_and_download_any_transcript() {
    let server = Server::start().await;
    let token = server.speech_token("Acme").await;
    let call = server.transcribed_call(&token, json!({}), &[(Caller, "hello")]).await;
    let viewer = server.staff("viewer").await;
    let path = format!("/api/calls/{call}/transcript");
    let plain = viewer.get(&path).await;
    assert_eq!(plain.expect(200)["segments"][0]["text"], "hello");
    assert_eq!(plain.header("content-disposition"), None);
    let as_text = viewer.with_header("accept", "text/plain").get(&path).await;
    assert_eq!(as_text.text(), "[00:00:00] Caller: hello\n");
    for (format, extension, media_type) in [
        ("json", "json", "application/json"),
        ("vtt", "vtt", "text/vtt; charset=utf-8"),
        ("srt", "srt", "application/x-subrip; charset=utf-8"),
        ("text", "txt", "text/plain; charset=utf-8"),
    ] {
        // The query parameter takes precedence over the `Accept` header.
        let saved = viewer.with_header("accept", "application/pdf").get(&format!("{path}?format={format}")).await;
        assert_eq!((saved.status, saved.header("content-type")), (200, Some(media_type)));
        let name = format!("attachment; filename=\"call-{call}.{extension}\"");
        assert_eq!(saved.header("content-disposition"), Some(name.as_str()));
    }
    assert_eq!(
        viewer.get(&format!("{path}?format=pdf")).await.refused(400, "invalid_parameter"),
        ["\"format\" not_permitted: expected one of json, text, vtt, srt, found \"pdf\""]
    );
    let never = server.recorded_call(json!({})).await;
    let detail = |answer: Answer| answer.json()["detail"].as_str().unwrap().to_owned();
    let of_never = viewer.get(&format!("/api/calls/{never}/transcript")).await;
    assert_eq!(detail(of_never), "there is no such transcript");
    assert_eq!(detail(viewer.get("/api/calls/987654321/transcript").await), "there is no such call");
    // An API key doesn't replace a token.
    server.with_scopes(&["speech:read", "calls:read"]).await.get(&path).await.refused(403, "forbidden");
}

#[tokio::test]
async fn queued_transcription_can_be_cancelled_and_resubmitted() {
    let server = Server::start().await;
    let (holder, token) = holder(&server, "Acme").await;
    let done = server.transcribed_call(&token, json!({}), &[(Caller, "hello")]).await;
    let waiting = server.recorded_call(json!({})).await;
    server.submit(waiting, &token).await;
    let cancel = |asked: Value| {
        let admin = server.admin();
        async move { admin.post("/api/transcriptions/cancel", body(asked)).await }
    };
    let asked = json!({ "call_ids": [waiting, done, 987_654] });
    assert_eq!(cancel(asked.clone()).await.expect(200), json!({ "cancelled": [waiting] }));
    assert_eq!(cancel(asked).await.expect(200), json!({ "cancelled": [] }));
    holder.get(&format!("{OWN}/{waiting}")).await.refused(409, "transcription_cancelled");
    let work = server.admin().get(&format!("/api/calls/{waiting}/transcriptions")).await.expect(200);
    assert_eq!((&work[0]["state"], &work[0]["error"]), (&json!("cancelled"), &Value::Null));
    holder.get(&format!("{OWN}/{done}")).await.expect(200);
    server.submit(waiting, &token).await;

    for (asked, place) in [
        (json!({ "call_ids": [] }), "/call_ids"),
        (json!({ "call_ids": (1..=1_001).collect::<Vec<_>>() }), "/call_ids"),
        (json!({ "call_ids": [1, 0] }), "/call_ids/1"),
        (json!({ "call_ids": ["1"] }), "/call_ids/0"),
    ] {
        let refused = cancel(asked).await.refused(400, "invalid_request");
        assert_eq!(refused.len(), 1);
        assert!(refused[0].starts_with(&format!("{place:?}")), "{refused:?}");
    }
    assert_eq!(
        cancel(json!({ "calls": [1] })).await.refused(400, "invalid_request"),
        ["\"/calls\" unknown_key: there is no such member here", "\"/call_ids\" required: `call_ids` is required"]
    );
    for (asked, told) in [
        (r#"["1"]"#, "expected an integer, found a string"),
        ("[1.5]", "expected an integer, found a number with a fraction"),
        ("[null]", "expected an integer, found null"),
        (r#"["1, expected 2 at line 3"]"#, "expected an integer, found a string"),
    ] {
        let refused = server.admin().post("/api/transcriptions/cancel", format!(r#"{{"call_ids":{asked}}}"#)).await;
        assert_eq!(refused.refused(400, "invalid_request"), [format!("\"/call_ids/0\" invalid_value: {told}")]);
    }
}

#[tokio::test]
async fn transcript_reads_and_searches_are_audited() {
    let server = Server::start().await;
    let (holder, token) = holder(&server, "Acme").await;
    let call = server.transcribed_call(&token, json!({}), &[(Caller, "hello")]).await;
    holder
        .with_header("x-request-id", "0190f3a2-7d4e-7c3b-9f60-5a1c2b3d4e5f")
        .get(&format!("{OWN}/{call}"))
        .await
        .expect(200);
    holder.get(&format!("{OWN}?words=hello")).await.expect(200);
    let viewer = server.staff("viewer").await;
    viewer.get(&format!("/api/calls/{call}/transcript")).await.expect(200);
    viewer.get("/api/transcripts?words=hello").await.expect(200);
    // Requests that return no transcript aren't audited.
    holder.get(&format!("{OWN}/987654321")).await.refused(404, "not_found");
    server.admin().get(&format!("/api/calls/{call}/transcriptions")).await.expect(200);
    let log = server.admin().get("/api/audit-log").await.expect(200);
    let entries = log["items"].as_array().unwrap().iter().rev().filter_map(|entry| {
        let [actor, action, subject] = ["actor", "action", "subject"].map(|name| entry[name].as_str().unwrap());
        action.starts_with("transcript.").then(|| (actor, format!("{action} {subject}"), &entry["request_id"]))
    });
    let entries: Vec<_> = entries.collect();
    let read = format!("transcript.read call:{call}");
    let searched = "transcript.search transcripts".to_owned();
    let noted: Vec<_> = entries.iter().map(|(actor, what, _)| (*actor, what.clone())).collect();
    assert_eq!(
        noted,
        [
            ("speech_token:1", read.clone()),
            ("speech_token:1", searched.clone()),
            ("user:1", read),
            ("user:1", searched),
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
    let (one, token) = holder(&server, "One").await;
    let (other, other_token) = holder(&server, "Other").await;
    let first = server
        .transcribed_call(
            &token,
            json!({ "campaign_id": campaign, "agent": "Grace" }),
            &[(Caller, "I want to cancel the delivery"), (Callee, "Of course")],
        )
        .await;
    server.advance(chrono::TimeDelta::hours(1));
    let second =
        server.transcribed_call(&token, json!({ "lead_id": lead }), &[(Callee, "The deliveries come on Monday")]).await;
    let theirs = server.transcribed_call(&other_token, json!({}), &[(Caller, "cancel the delivery")]).await;

    let found = one.get(&format!("{OWN}?phrase=cancel%20the%20delivery")).await.expect(200);
    assert_eq!(found["total"], 1);
    let hit = &found["items"][0];
    assert_eq!((&hit["call_id"], &hit["matches"], &hit["token_id"]), (&json!(first), &json!(1), &json!(1)));
    assert_eq!((&hit["campaign_name"], &hit["agent"]), (&json!("Solar"), &json!("Grace")));
    let passage = &hit["passages"][0];
    assert!(passage["text"].as_str().unwrap().contains("cancel the delivery"), "{passage}");
    assert_eq!((&passage["side"], &passage["end"]), (&json!("caller"), &json!(1.0)));

    let ids = |found: Value| {
        let ids = found["items"].as_array().unwrap().iter().map(|hit| hit["call_id"].as_i64().unwrap());
        (ids.collect::<Vec<_>>(), found["total"].as_u64().unwrap())
    };
    for (query, expected) in [
        ("", vec![second, first]),
        ("words=deliver*", vec![second, first]),
        ("words=deliver*%20monday", vec![second]),
        ("words=deliver*&phrase=of%20course", vec![first]),
        ("words=nothing", vec![]),
        ("language=EN", vec![second, first]),
        ("language=de", vec![]),
        ("from=2026-05-01%2010:00:00", vec![second]),
        ("till=2026-05-01T10:00:00Z", vec![first]),
        (&format!("campaign_id={campaign}"), vec![first]),
        (&format!("lead_id={lead}"), vec![second]),
        ("min_duration=6&max_duration=6.0", vec![second, first]),
        ("min_duration=6.1", vec![]),
        ("max_duration=5.9", vec![]),
    ] {
        let found = ids(one.get(&format!("{OWN}?{query}")).await.expect(200));
        assert_eq!(found, (expected.clone(), expected.len() as u64), "{query}");
    }
    assert_eq!(ids(one.get(&format!("{OWN}?limit=1;1")).await.expect(200)), (vec![first], 2));
    assert_eq!(ids(other.get(&format!("{OWN}?words=deliver*")).await.expect(200)), (vec![theirs], 1));
    one.get(&format!("{OWN}?token_id=2")).await.refused(400, "unknown_parameter");

    let viewer = server.staff("viewer").await;
    let all = ids(viewer.get("/api/transcripts?words=deliver*").await.expect(200));
    assert_eq!((all.0.len(), all.1), (3, 3));
    assert_eq!(ids(viewer.get("/api/transcripts?token_id=2").await.expect(200)), (vec![theirs], 1));
    server.with_scopes(&["speech:read"]).await.get("/api/transcripts").await.refused(403, "forbidden");
}

#[tokio::test]
async fn reports_all_faults_of_a_search() {
    let server = Server::start().await;
    let (holder, _) = holder(&server, "Acme").await;
    let query = "phrase=%3F&words=%22open&language=not+a+language&from=2026-05-02T00:00:00Z&till=2026-05-01%2000:00:00\
                 &campaign_id=0&lead_id=x&min_duration=-1&max_duration=1e3&limit=5000";
    let expected = [
        "\"campaign_id\" invalid_id: expected a whole number of 1 or more, found \"0\"",
        "\"lead_id\" invalid_id: expected a whole number of 1 or more, found \"x\"",
        "\"min_duration\" invalid_number: expected a number of 0 or more, found \"-1\"",
        "\"max_duration\" invalid_number: expected a number of 0 or more, found \"1e3\"",
        "\"phrase\" no_words: expected at least one word with letters or digits, found none",
        "\"language\" invalid_language: expected a BCP 47 language code such as `en` or `pt-BR`, found \"not a language\"",
        "\"till\" out_of_order: expected `till` not to be before `from`",
        "\"limit\" invalid_limit: expected \"<count>;<offset>\" with a count of 0 to 1000, found \"5000\"",
    ];
    let mut faults = holder.get(&format!("{OWN}?{query}")).await.refused(400, "invalid_parameter");
    let quote = faults.iter().position(|fault| fault.starts_with("\"words\" unclosed_quote"));
    faults.remove(quote.expect("the open quote"));
    assert_eq!(faults, expected);
    let of_staff = server.staff("viewer").await.get(&format!("/api/transcripts?{query}")).await;
    assert_eq!(of_staff.refused(400, "invalid_parameter").len(), 9);
    let order = holder.get(&format!("{OWN}?min_duration=5.5&max_duration=5")).await;
    assert_eq!(
        order.refused(400, "invalid_parameter"),
        ["\"max_duration\" out_of_order: expected `max_duration` not to be less than `min_duration`"]
    );
    let misspelt = holder.get(&format!("{OWN}?phrases=x")).await;
    misspelt.refused(400, "unknown_parameter");
    assert_eq!(misspelt.json()["errors"][0]["suggestion"]["detail"], "did you mean `phrase`?");
}

#[tokio::test]
async fn recogniser_state_is_reported() {
    let server = Server::start().await;
    let token = server.speech_token("Acme").await;
    let path = "/api/speech-recognition/recognizer";
    let status = |queued: u32, oldest: Value| {
        json!({
            "state": "off", "engine": null, "error": null, "command": null,
            "queued": queued, "oldest_queued_at": oldest
        })
    };
    assert_eq!(server.admin().get(path).await.expect(200), status(0, Value::Null));
    let call = server.recorded_call(json!({})).await;
    server.submit(call, &token).await;
    let viewer = server.staff("viewer").await;
    assert_eq!(viewer.get(path).await.expect(200), status(1, json!("2026-05-01T09:30:00Z")));
}

#[tokio::test]
async fn waveform_is_computed_once() {
    let server = Server::start().await;
    let call = server.recorded_call(json!({})).await;
    let client = server.admin();
    let path = format!("/api/calls/{call}/recording/peaks");
    let answer = client.get(&format!("{path}?count=3")).await;
    assert_eq!(answer.expect(200), json!({ "duration": 6.0, "channels": [[0, 0, 0], [0, 0, 0]] }));
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    let etag = answer.header("etag").unwrap();
    let again = client.with_header("if-none-match", etag);
    assert_eq!(again.get(&format!("{path}?count=3")).await.status, 304);
    let whole = again.get(&path).await;
    assert_eq!(whole.expect(200)["channels"][0].as_array().unwrap().len(), 800, "another count is another outline");
    for (count, found) in [("0", "\"0\""), ("4001", "\"4001\""), ("x", "\"x\""), ("", "\"\""), ("%2B5", "\"+5\"")] {
        assert_eq!(
            client.get(&format!("{path}?count={count}")).await.refused(400, "invalid_parameter"),
            [format!("\"count\" out_of_range: expected a whole number from 1 to 4000, found {found}")]
        );
    }
    let silent = client.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await;
    client.get(&format!("/api/calls/{silent}/recording/peaks")).await.refused(404, "not_found");
    client.get("/api/calls/987654321/recording/peaks").await.refused(404, "not_found");
}

#[tokio::test]
async fn submission_path_still_accepts_submissions() {
    // The paths for reading transcripts share their prefix with the path for submissions.
    let server = Server::start().await;
    let (holder, token) = holder(&server, "Acme").await;
    let asked = json!({ "call_ids": [5], "token": token, "languages": ["en"], "recording_side": "both" });
    let answer = holder.post(OWN, body(asked)).await.expect(200);
    assert_eq!(answer["results"]["calls"]["5"]["reason"], "not_found");
    holder.put(OWN, "{}").await.refused(405, "method_not_allowed");
    server.admin().get("/api/speech-recognition/languages").await.expect(200);
}
