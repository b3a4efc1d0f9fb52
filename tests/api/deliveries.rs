//! Searches whose results are delivered to a callback, and how users see the deliveries. The requests to the endpoint
//! are tested in `speech`.

use chrono::TimeDelta;
use leadscribe_engine::api::RecordingSide::Caller;
use leadscribe_engine::diagnostic::work;
use leadscribe_server::service::deliveries;
use leadscribe_server::storage::AttemptResult;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Client, Server, body};

/// Starts a server with a token, its client, and two transcribed calls.
async fn server_with_transcripts() -> (Server, String, Client, [i64; 2]) {
    let server = Server::start().await;
    let token = server.create_speech_token("Acme").await;
    let token_client = server.anonymous().with_header("x-speech-token", &token);
    let first_call = server.create_transcribed_call(&token, json!({}), &[(Caller, "the invoice is wrong")]).await;
    let second_call = server.create_transcribed_call(&token, json!({}), &[(Caller, "thank you and goodbye")]).await;
    (server, token, token_client, [first_call, second_call])
}

#[tokio::test]
async fn each_search_result_is_delivered_separately() {
    let (server, _, token_client, [matching_call, other_call]) = server_with_transcripts().await;
    let path =
        "/api/speech-recognition?search=invoice&callback_url=https://example.com/calls?key=1&callback_method=PUT";
    let path = path.replace("?key=1", "%3Fkey%3D1");
    let response = token_client.get(&path).await;
    let delivery_request = response.expect(202);
    assert_eq!(delivery_request, json!({ "speech_request_id": 1, "call_ids": [matching_call], "total": 1 }));
    assert_eq!(response.header("location"), Some("/api/speech-recognition/requests/1"));
    let progress = |pending: u32, delivered: u32, failed: u32| {
        json!({
            "speech_request_id": 1, "created_at": "2026-05-01T09:30:00Z",
            "pending": pending, "delivered": delivered, "failed": failed
        })
    };
    assert_eq!(token_client.get("/api/speech-recognition/requests/1").await.expect(200), progress(1, 0, 0));

    let admin = server.admin();
    let page = admin.get("/api/deliveries").await.expect(200);
    let expected = json!({
        "id": 1, "speech_request_id": 1, "token_id": 1, "webhook_id": null, "event": null, "call_id": matching_call,
        "callback": { "callback_url": "https://example.com/calls?key=1", "callback_method": "PUT" },
        "state": "queued", "attempts": 0, "last_status": null, "last_error": null,
        "next_attempt_at": "2026-05-01T09:30:00Z", "created_at": "2026-05-01T09:30:00Z", "finished_at": null
    });
    let mut delivery = page["items"][0].clone();
    // A callback without its own template uses the default template.
    delivery["callback"].as_object_mut().unwrap().remove("callback_data");
    assert_eq!((delivery, &page["total"]), (expected, &json!(1)));
    assert_eq!(
        admin.post("/api/deliveries/1/replay", "").await.expect(202)["attempts"],
        0,
        "the delivery was already due"
    );

    server.finish_delivery(503, AttemptResult::Failed).await;
    assert_eq!(token_client.get("/api/speech-recognition/requests/1").await.expect(200), progress(0, 0, 1));
    let delivery_detail = admin.get("/api/deliveries/1").await.expect(200);
    assert_eq!(delivery_detail["delivery"]["state"], "failed");
    let attempt = json!({
        "number": 1, "started_at": "2026-05-01T09:30:00Z", "duration_ms": 12, "status": 503,
        "error": { "detail": "the endpoint responded with status 503" }
    });
    assert_eq!(delivery_detail["attempts"], json!([attempt]));

    let response = admin.post("/api/deliveries/1/replay", "").await;
    assert_eq!(response.expect(202)["state"], "queued");
    assert_eq!(response.header("location"), Some("/api/deliveries/1"));
    server.finish_delivery(204, AttemptResult::Delivered).await;
    assert_eq!(token_client.get("/api/speech-recognition/requests/1").await.expect(200), progress(0, 1, 0));

    for (query, total) in [
        ("state=delivered", 1),
        ("state=queued", 0),
        (&format!("call_id={matching_call}"), 1),
        (&format!("call_id={other_call}"), 0),
        ("token_id=1&speech_request_id=1", 1),
        ("token_id=2", 0),
        ("speech_request_id=2", 0),
        ("same_url_as=1", 1),
        ("same_url_as=7", 0),
    ] {
        assert_eq!(admin.get(&format!("/api/deliveries?{query}")).await.expect(200)["total"], total, "{query}");
    }
    let endpoint = json!({
        "callback_url": "https://example.com/calls?key=1", "latest_delivery_id": 1, "pending": 0, "delivered": 1, "failed": 0,
        "last_delivered_at": "2026-05-01T09:30:00Z", "last_failed_at": null
    });
    assert_eq!(admin.get("/api/callback-endpoints").await.expect(200), json!({ "items": [endpoint], "total": 1 }));
}

/// Returns the number of deliveries.
async fn delivery_count(server: &Server) -> u64 {
    server.admin().get("/api/deliveries").await.expect(200)["total"].as_u64().unwrap()
}

#[tokio::test]
async fn search_repeated_by_get_orders_once() {
    let (server, _, token_client, [call, _]) = server_with_transcripts().await;
    let path = "/api/speech-recognition?search=invoice&callback_url=https://example.com/calls";
    let order = async |client: &Client, path: &str| {
        let response = client.get(path).await;
        (response.expect(202)["speech_request_id"].as_i64().unwrap(), response.header("idempotent-replayed").is_some())
    };
    assert_eq!(order(&token_client, path).await, (1, false));
    let reordered = token_client.get("/api/speech-recognition?callback_url=https%3A//example.com/calls&search=invoice");
    let reordered = reordered.await;
    assert_eq!(reordered.expect(202), json!({ "speech_request_id": 1, "call_ids": [call], "total": 1 }));
    assert_eq!(reordered.header("idempotent-replayed"), Some("true"));
    assert_eq!(reordered.header("location"), Some("/api/speech-recognition/requests/1"));
    assert_eq!(delivery_count(&server).await, 1);

    let other_client = server.anonymous().with_header("x-speech-token", &server.create_speech_token("Other").await);
    assert_eq!(order(&other_client, path).await, (2, false));
    assert_eq!(order(&token_client, &format!("{path}&callback_method=PUT")).await, (3, false));
    assert_eq!(order(&token_client, &format!("{path}&limit=5")).await, (4, false));

    server.advance(TimeDelta::minutes(10) - TimeDelta::microseconds(1));
    assert_eq!(order(&token_client, path).await, (1, true));
    server.advance(TimeDelta::microseconds(1));
    let (id, is_replayed) = order(&token_client, path).await;
    assert!(id > 4 && !is_replayed, "{id}");
    server.advance(TimeDelta::minutes(9));
    assert_eq!(order(&token_client, path).await, (id, true));
    assert_eq!(delivery_count(&server).await, 4);
}

#[tokio::test]
async fn concurrent_equal_searches_order_once() {
    let (server, _, token_client, _) = server_with_transcripts().await;
    let path = "/api/speech-recognition?callback_url=https://example.com/calls";
    let responses = futures::future::join_all((0..12).map(|_| token_client.get(path))).await;
    let first = responses[0].expect(202);
    assert!(responses.iter().all(|response| response.expect(202) == first), "one request for all");
    let replayed = responses.iter().filter(|response| response.header("idempotent-replayed").is_some());
    assert_eq!((replayed.count(), delivery_count(&server).await), (11, 2));
}

#[tokio::test]
async fn refused_search_can_be_repeated() {
    let server = Server::start_configured(|config| config.callbacks.max_pending_deliveries = 1).await;
    let token = server.create_speech_token("Acme").await;
    let token_client = server.anonymous().with_header("x-speech-token", &token);
    for _ in 0..2 {
        server.create_transcribed_call(&token, json!({}), &[(Caller, "hello")]).await;
    }
    let path = "/api/speech-recognition?limit=1&callback_url=https://example.com/calls";
    token_client.get(&format!("{path}&search=hello")).await.expect(202);
    token_client.get(path).await.expect_problem(429, "too_many_pending_deliveries");
    // A repeat orders nothing, so it isn't refused.
    token_client.get(&format!("{path}&search=hello")).await.expect(202);
    server.finish_delivery(204, AttemptResult::Delivered).await;
    assert_eq!(token_client.get(path).await.expect(202)["call_ids"].as_array().unwrap().len(), 1);
}

const SEARCHES_PATH: &str = "/api/speech-recognition/searches";

#[tokio::test]
async fn search_can_be_ordered_by_post() {
    let (server, _, token_client, [matching_call, other_call]) = server_with_transcripts().await;
    let search = json!({
        "search": "invoice", "from": "2026-05-01 09:30:00", "limit": "1", "callback_url": "https://example.com/calls", "callback_method": "PUT",
        "callback_data": "{\"id\":\"{call_id}\"}"
    });
    let keyed = token_client.with_header("idempotency-key", "order-1");
    let first = keyed.post(SEARCHES_PATH, body(search.clone())).await;
    assert_eq!(first.expect(202), json!({ "speech_request_id": 1, "call_ids": [matching_call], "total": 1 }));
    assert_eq!(first.header("location"), Some("/api/speech-recognition/requests/1"));
    let delivery = &server.admin().get("/api/deliveries").await.expect(200)["items"][0];
    let callback = ["callback_url", "callback_method", "callback_data"].map(|name| &delivery["callback"][name]);
    assert_eq!(callback, ["https://example.com/calls", "PUT", r#"{"id":"{call_id}"}"#]);

    let repeated = keyed.post(SEARCHES_PATH, body(search.clone())).await;
    assert_eq!((repeated.expect(202), repeated.header("idempotent-replayed")), (first.json(), Some("true")));
    let other = json!({ "search": "goodbye", "callback_url": "https://example.com/calls" });
    keyed.post(SEARCHES_PATH, body(other.clone())).await.expect_problem(422, "idempotency_key_reused");
    assert_eq!(delivery_count(&server).await, 1);

    // Without a key, each request orders again.
    assert_eq!(token_client.post(SEARCHES_PATH, body(search)).await.expect(202)["speech_request_id"], 2);
    let other = token_client.post(SEARCHES_PATH, body(other)).await.expect(202);
    assert_eq!((&other["speech_request_id"], &other["call_ids"]), (&json!(3), &json!([other_call])));
    assert_eq!(delivery_count(&server).await, 3);
}

#[tokio::test]
async fn reports_all_errors_of_a_posted_search() {
    let (server, _, token_client, _) = server_with_transcripts().await;
    let diagnostics = async |search: Value| {
        token_client.post(SEARCHES_PATH, body(search)).await.expect_problem(400, "invalid_request")
    };
    assert_eq!(
        diagnostics(json!({ "serach": "invoice", "till": "2026-05", "min_duration": "5", "callback_method": "GET" }))
            .await,
        [
            "\"/serach\" unknown_key: field \"serach\" doesn't exist here",
            "\"/callback_method\" not_permitted: expected POST or PUT, found \"GET\"",
            "\"/min_duration\" invalid_value: expected a number, found a string",
            "\"/till\" invalid_value: expected a date-time such as `2026-05-01T09:30:00Z`, found \"2026-05\"",
            "\"/callback_url\" required: `callback_url` is required",
        ]
    );
    let search = json!({
        "search": "*", "from": "2026-01-02T00:00:00Z", "till": "2026-01-01T00:00:00Z", "campaign_id": 0, "limit": "5;",
        "callback_url": "http://10.0.0.1/", "callback_data": "[\"{cal_id}\"]"
    });
    assert_eq!(
        diagnostics(search).await,
        [
            "\"/search\" no_words: expected at least one word with letters or digits, found none",
            "\"/till\" out_of_order: the end must not be before the start",
            "\"/campaign_id\" invalid_id: expected a whole number of 1 or more, found 0",
            "\"/limit\" invalid_limit: expected `<count>;<offset>` with a count of 0 to 1000, found \"5;\"",
            "\"/callback_url\" callback_not_public: 10.0.0.1 is not a public address (private, RFC 1918)",
            "\"/callback_data\" unknown_placeholder 2..10: expected the name of a placeholder, found `cal_id`",
        ]
    );
    assert_eq!(delivery_count(&server).await, 0);
}

#[tokio::test]
async fn delivery_request_is_visible_only_to_its_token() {
    let (server, _, token_client, _) = server_with_transcripts().await;
    let submission_path = "/api/speech-recognition?callback_url=https://example.com/calls";
    // HEAD must not cause deliveries.
    assert_eq!(token_client.send(Method::HEAD, submission_path, "").await.status, 405);
    assert_eq!(token_client.get(submission_path).await.expect(202)["speech_request_id"], 1);
    let other_client = server.anonymous().with_header("x-speech-token", &server.create_speech_token("Other").await);
    let other_client = other_client.with_header("x-request-id", "0190f3a2-7d4e-7c3b-9f60-5a1c2b3d4e5f");
    let foreign_response = other_client.get("/api/speech-recognition/requests/1").await;
    let missing_response = other_client.get("/api/speech-recognition/requests/2").await;
    foreign_response.expect_problem(404, "not_found");
    assert_eq!(foreign_response.body, missing_response.body);
    let secret_of = |response: Value| response["secret"].as_str().unwrap().to_owned();
    let path = "/api/speech-recognition/webhook-secret";
    let (own_secret, other_secret) =
        (secret_of(token_client.get(path).await.expect(200)), secret_of(other_client.get(path).await.expect(200)));
    assert!(own_secret.starts_with("whsec_") && own_secret != other_secret, "each token has its own signing secret");
    assert_eq!(secret_of(token_client.get(path).await.expect(200)), own_secret, "the secret is unchanged");
}

#[tokio::test]
async fn reports_all_errors_of_a_callback() {
    let (server, _, token_client, _) = server_with_transcripts().await;
    let diagnostics_for = |query: &'static str| {
        let token_client = token_client.clone();
        async move {
            token_client.get(&format!("/api/speech-recognition?{query}")).await.expect_problem(400, "invalid_parameter")
        }
    };
    assert_eq!(
        diagnostics_for("callback_method=PUT&callback_data=1").await,
        [
            "\"callback_method\" missing_value: requires `callback_url`",
            "\"callback_data\" missing_value: requires `callback_url`",
        ]
    );
    let diagnostics = diagnostics_for("search=*&limit=x&callback_method=GET&callback_url=ftp://example.com").await;
    let locations: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.split(' ').next().unwrap()).collect();
    assert_eq!(locations, ["\"search\"", "\"limit\"", "\"callback_method\"", "\"callback_url\""], "{diagnostics:?}");
    assert_eq!(server.admin().get("/api/deliveries").await.expect(200)["total"], 0, "nothing was queued");
}

/// Delivers the next delivery, and returns its body.
async fn delivered_body(server: &Server) -> Value {
    let claimed = server.finish_delivery(204, AttemptResult::Delivered).await;
    serde_json::from_slice(&deliveries::body(&claimed).unwrap()).unwrap()
}

#[tokio::test]
async fn each_submitted_call_is_delivered_when_it_ends() {
    let server = Server::start().await;
    let token = server.create_speech_token("Acme").await;
    let token_client = server.anonymous().with_header("x-speech-token", &token);
    let [completed, failed, cancelled] = [(); 3].map(|()| server.create_recorded_call(json!({})));
    let (completed, failed, cancelled) = (completed.await, failed.await, cancelled.await);
    let request = json!({
        "call_ids": [completed, failed, cancelled, 999], "token": token, "languages": ["en"], "recording_side": "both",
        "callback_url": "https://example.com/calls", "callback_method": "PUT"
    });
    let client = server.anonymous().with_header("idempotency-key", "order-1");
    let submitted = client.post("/api/speech-recognition", body(request.clone())).await.expect(200);
    assert_eq!(submitted["speech_request_id"], 1);
    let progress = async || {
        let progress = token_client.get("/api/speech-recognition/requests/1").await.expect(200);
        ["pending", "delivered", "failed"].map(|name| progress[name].as_u64().unwrap())
    };
    assert_eq!(progress().await, [3, 0, 0]);
    let waiting = server.admin().get("/api/deliveries?state=waiting").await.expect(200);
    assert_eq!((&waiting["total"], &waiting["items"][0]["callback"]["callback_method"]), (&json!(3), &json!("PUT")));
    let replay = format!("/api/deliveries/{}/replay", waiting["items"][0]["id"]);
    server.admin().post(&replay, "").await.expect_problem(409, "conflict");

    server.complete_transcription(completed, &[(Caller, "hello")]).await;
    let delivered = delivered_body(&server).await;
    assert_eq!((&delivered["call_id"], &delivered["transcription_status"]), (&json!(completed), &json!("completed")));
    assert_eq!(
        (&delivered["error"], &delivered["speech_result"]["segments"][0]["text"]),
        (&Value::Null, &json!("hello"))
    );
    let ended = |call: i64, status: &str, error: &str| json!({ "call_id": call, "transcription_status": status, "error": error, "speech_result": Value::Null });
    server.fail_transcription(failed, work::recording_unreadable()).await;
    assert_eq!(delivered_body(&server).await, ended(failed, "failed", "the recording can't be read"));
    server.admin().post("/api/transcriptions/cancel", body(json!({ "call_ids": [cancelled] }))).await.expect(200);
    assert_eq!(delivered_body(&server).await, ended(cancelled, "cancelled", "the transcription was cancelled"));
    assert_eq!(progress().await, [0, 3, 0]);

    let replayed = client.post("/api/speech-recognition", body(request.clone())).await;
    assert_eq!((replayed.expect(200), replayed.header("idempotent-replayed")), (submitted, Some("true")));
    let mut other_request = request;
    other_request["callback_url"] = json!("https://example.com/other");
    client.post("/api/speech-recognition", body(other_request)).await.expect_problem(422, "idempotency_key_reused");
}

#[tokio::test]
async fn submission_reports_callback_errors_with_all_others() {
    let server = Server::start().await;
    server.create_speech_token("Acme").await;
    let path = "/api/speech-tokens/1/submissions";
    let locations = async |members: Value| {
        let mut request = json!({ "call_ids": [1], "languages": ["en"], "recording_side": "both" });
        request.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        let response = server.admin().post(path, body(request)).await;
        response.expect_problem(400, "invalid_request");
        let errors = response.json()["errors"].as_array().unwrap().clone();
        let line = |error: Value| format!("{} {}", error["pointer"].as_str().unwrap(), error["code"].as_str().unwrap());
        errors.into_iter().map(line).collect::<Vec<_>>()
    };
    let members = json!({
        "callback_data": "[\"{cal_id}\"]", "callback_method": "GET", "callback_url": "https://10.0.0.1/#top", "min_duration": 0
    });
    assert_eq!(
        locations(members).await,
        [
            "/callback_data unknown_placeholder",
            "/callback_method not_permitted",
            "/callback_url callback_not_public",
            "/callback_url not_permitted",
            "/min_duration out_of_range",
        ]
    );
    let without_url = json!({ "callback_data": "[]", "callback_method": "PUT" });
    assert_eq!(locations(without_url).await, ["/callback_data missing_value", "/callback_method missing_value"]);
}

#[tokio::test]
async fn staff_can_deliver_for_a_token_and_test_a_callback() {
    let (server, _, _, [first_call, second_call]) = server_with_transcripts().await;
    let admin = server.admin();
    let callback = json!({ "callback_url": "https://example.com/calls" });
    let request = json!({ "transcripts": { "phrase": "thank you" }, "callback": callback });
    let response = admin.post("/api/speech-tokens/1/speech-requests", body(request)).await;
    assert_eq!(response.expect(202), json!({ "speech_request_id": 1, "call_ids": [second_call], "total": 1 }));
    assert_eq!(response.header("location"), Some("/api/deliveries?speech_request_id=1"));
    let unfiltered_response =
        admin.post("/api/speech-tokens/1/speech-requests", body(json!({ "callback": callback }))).await;
    let mut calls = unfiltered_response.expect(202)["call_ids"].as_array().unwrap().clone();
    calls.sort_by_key(Value::as_i64);
    assert_eq!(calls, [json!(first_call), json!(second_call)]);
    let first_page = json!({ "limit": "1", "callback": callback });
    let first_page = admin.post("/api/speech-tokens/1/speech-requests", body(first_page)).await.expect(202);
    assert_eq!((first_page["call_ids"].as_array().unwrap().len(), &first_page["total"]), (1, &json!(2)));

    let response = admin.post("/api/speech-tokens/1/test-deliveries", body(callback.clone())).await;
    let test_delivery = response.expect(202);
    assert_eq!((&test_delivery["call_id"], &test_delivery["speech_request_id"]), (&Value::Null, &Value::Null));
    assert_eq!(response.header("location"), Some(format!("/api/deliveries/{}", test_delivery["id"]).as_str()));

    let invalid_request = json!({
        "transcripts": { "search": "", "till": "2026-01-01T00:00:00Z", "from": "2026-01-02T00:00:00Z" }, "limit": "5;",
        "callback": { "callback_url": "https://10.0.0.1/", "callback_data": "{" }
    });
    let diagnostics = admin
        .post("/api/speech-tokens/1/speech-requests", body(invalid_request))
        .await
        .expect_problem(400, "invalid_request");
    let locations: Vec<_> =
        diagnostics.iter().map(|diagnostic| diagnostic.split(' ').next().unwrap().trim_matches('"')).collect();
    assert_eq!(
        locations,
        ["/transcripts/search", "/transcripts/till", "/limit", "/callback/callback_url", "/callback/callback_data"],
        "{diagnostics:?}"
    );
    for (invalid_request, pointer) in [
        (json!({ "callback": ["https://example.com/"] }), "/callback"),
        (json!({ "transcripts": [], "callback": callback }), "/transcripts"),
    ] {
        assert_eq!(
            admin
                .post("/api/speech-tokens/1/speech-requests", body(invalid_request))
                .await
                .expect_problem(400, "invalid_request"),
            [format!("{pointer:?} invalid_value: expected an object, found an array")]
        );
    }
    let misspelled_request =
        json!({ "callback": { "callback_url": "https://example.com/", "callback_methode": "PUT" } });
    let response = admin.post("/api/speech-tokens/1/speech-requests", body(misspelled_request)).await;
    let diagnostics = response.expect_problem(400, "invalid_request");
    assert!(
        diagnostics[0]
            .starts_with("\"/callback/callback_methode\" unknown_key: field \"callback_methode\" doesn't exist here"),
        "{diagnostics:?}"
    );
    let response = admin.post("/api/speech-tokens/1/test-deliveries", r#"{"callback_url":"x"}"#).await;
    assert_eq!(response.expect_problem(400, "invalid_request").len(), 1);

    server.create_speech_token("Revoked").await;
    admin.delete("/api/speech-tokens/2").await.expect(200);
    for path in ["speech-requests", "test-deliveries"] {
        let request = if path == "speech-requests" { json!({ "callback": callback }) } else { callback.clone() };
        let unknown_token_response = admin.post(&format!("/api/speech-tokens/99/{path}"), body(request.clone())).await;
        unknown_token_response.expect_problem(404, "not_found");
        admin.post(&format!("/api/speech-tokens/2/{path}"), body(request)).await.expect_problem(409, "conflict");
    }
}

#[tokio::test]
async fn pending_deliveries_per_token_are_limited() {
    let server = Server::start_configured(|config| config.callbacks.max_pending_deliveries = 2).await;
    let token = server.create_speech_token("Acme").await;
    let token_client = server.anonymous().with_header("x-speech-token", &token);
    for _ in 0..2 {
        server.create_transcribed_call(&token, json!({}), &[(Caller, "hello")]).await;
    }
    let path = "/api/speech-recognition?callback_url=https://example.com/calls";
    token_client.get(path).await.expect(202);
    let expected =
        "\"\" too_many_pending_deliveries: the token has 2 pending deliveries, and 1 more would exceed the limit of 2";
    let response = token_client.get(&format!("{path}&limit=1")).await;
    assert_eq!(response.expect_problem(429, "too_many_pending_deliveries"), [expected]);
    assert_eq!(response.header("retry-after"), Some("60"));
    let hint = response.json()["errors"][0]["suggestion"]["detail"].as_str().unwrap().to_owned();
    assert!(hint.starts_with("wait until some have ended, or request fewer at once"), "{hint}");
    let admin = server.admin();
    let callback = json!({ "callback_url": "https://example.com/calls" });
    let test_delivery = admin.post("/api/speech-tokens/1/test-deliveries", body(callback.clone())).await;
    assert_eq!(test_delivery.expect_problem(429, "too_many_pending_deliveries"), [expected]);
    let request = json!({ "limit": "1", "callback": callback });
    let response = admin.post("/api/speech-tokens/1/speech-requests", body(request)).await;
    assert_eq!(response.expect_problem(429, "too_many_pending_deliveries"), [expected]);
    assert_eq!(admin.get("/api/deliveries").await.expect(200)["total"], 2);

    let call = server.create_recorded_call(json!({})).await;
    let submission = |callback: bool| {
        let mut request = json!({ "call_ids": [call], "languages": ["en"], "recording_side": "both" });
        if callback {
            request["callback_url"] = json!("https://example.com/calls");
        }
        body(request)
    };
    let response = admin.post("/api/speech-tokens/1/submissions", submission(true)).await;
    assert_eq!(response.expect_problem(429, "too_many_pending_deliveries"), [expected]);
    admin.post("/api/speech-tokens/1/submissions", submission(false)).await.expect(200);

    token_client.get(&format!("{path}&search=nobody")).await.expect(202);
    server.finish_delivery(204, AttemptResult::Delivered).await;
    token_client.get(&format!("{path}&limit=1")).await.expect(202);
}

#[tokio::test]
async fn rotated_webhook_secret_stays_valid_for_a_day() {
    let (server, _, token_client, _) = server_with_transcripts().await;
    let admin = server.admin();
    let path = "/api/speech-tokens/1/webhook-secret";
    let old_secret = admin.get(path).await.expect(200);
    assert_eq!(old_secret["previous_valid_until"], Value::Null);
    assert_eq!(token_client.get("/api/speech-recognition/webhook-secret").await.expect(200), old_secret);
    let new_secret = admin.post(&format!("{path}/rotate"), "").await.expect(200);
    assert_ne!(new_secret["secret"], old_secret["secret"]);
    assert_eq!(new_secret["previous_valid_until"], "2026-05-02T09:30:00Z");
    assert_eq!(admin.get(path).await.expect(200), new_secret);
    admin.delete("/api/speech-tokens/1").await.expect(200);
    admin.post(&format!("{path}/rotate"), "").await.expect_problem(409, "conflict");
    assert_eq!(admin.get(path).await.expect(200), new_secret);
}
