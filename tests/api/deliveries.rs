//! Searches whose results are delivered to a callback, and how users see the deliveries. The requests to the endpoint
//! are tested in `speech`.

use leadscribe_engine::api::RecordingSide::Caller;
use leadscribe_server::storage::AfterAttempt;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Client, Server, body};

/// Starts a server with a token, its client, and two transcribed calls.
async fn furnished() -> (Server, String, Client, [i64; 2]) {
    let server = Server::start().await;
    let token = server.speech_token("Acme").await;
    let holder = server.anonymous().with_header("x-speech-token", &token);
    let one = server.transcribed_call(&token, json!({}), &[(Caller, "the invoice is wrong")]).await;
    let other = server.transcribed_call(&token, json!({}), &[(Caller, "thank you and goodbye")]).await;
    (server, token, holder, [one, other])
}

#[tokio::test]
async fn each_search_result_is_delivered_separately() {
    let (server, _, holder, [one, other]) = furnished().await;
    let path = "/api/speech-recognition?words=invoice&callback_url=https://example.com/calls?key=1&callback_method=PUT";
    let path = path.replace("?key=1", "%3Fkey%3D1");
    let answer = holder.get(&path).await;
    let asked = answer.expect(202);
    assert_eq!(asked, json!({ "speech_request_id": 1, "call_ids": [one], "total": 1 }));
    assert_eq!(answer.header("location"), Some("/api/speech-recognition/requests/1"));
    let progress = |open: u32, delivered: u32, failed: u32| {
        json!({
            "speech_request_id": 1, "created_at": "2026-05-01T09:30:00Z",
            "open": open, "delivered": delivered, "failed": failed
        })
    };
    assert_eq!(holder.get("/api/speech-recognition/requests/1").await.expect(200), progress(1, 0, 0));

    let admin = server.admin();
    let page = admin.get("/api/deliveries").await.expect(200);
    let expected = json!({
        "id": 1, "speech_request_id": 1, "token_id": 1, "call_id": one,
        "callback": { "callback_url": "https://example.com/calls?key=1", "callback_method": "PUT" },
        "state": "queued", "attempts": 0, "last_status": null, "last_error": null,
        "next_attempt_at": "2026-05-01T09:30:00Z", "created_at": "2026-05-01T09:30:00Z", "finished_at": null
    });
    let mut found = page["items"][0].clone();
    // A callback without its own template uses the default template.
    found["callback"].as_object_mut().unwrap().remove("callback_data");
    assert_eq!((found, &page["total"]), (expected, &json!(1)));
    assert_eq!(admin.post("/api/deliveries/1/replay", "").await.expect(202)["attempts"], 0, "it was due already");

    server.deliver(503, AfterAttempt::Failed).await;
    assert_eq!(holder.get("/api/speech-recognition/requests/1").await.expect(200), progress(0, 0, 1));
    let detail = admin.get("/api/deliveries/1").await.expect(200);
    assert_eq!(detail["delivery"]["state"], "failed");
    let attempt = json!({
        "number": 1, "at": "2026-05-01T09:30:00Z", "duration_ms": 12, "status": 503,
        "error": { "detail": "the endpoint answered 503" }
    });
    assert_eq!(detail["attempts"], json!([attempt]));

    let answer = admin.post("/api/deliveries/1/replay", "").await;
    assert_eq!(answer.expect(202)["state"], "queued");
    assert_eq!(answer.header("location"), Some("/api/deliveries/1"));
    server.deliver(204, AfterAttempt::Delivered).await;
    assert_eq!(holder.get("/api/speech-recognition/requests/1").await.expect(200), progress(0, 1, 0));

    for (query, total) in [
        ("state=delivered", 1),
        ("state=queued", 0),
        (&format!("call_id={one}"), 1),
        (&format!("call_id={other}"), 0),
        ("token_id=1&speech_request_id=1", 1),
        ("token_id=2", 0),
        ("speech_request_id=2", 0),
        ("same_url_as=1", 1),
        ("same_url_as=7", 0),
    ] {
        assert_eq!(admin.get(&format!("/api/deliveries?{query}")).await.expect(200)["total"], total, "{query}");
    }
    let endpoint = json!({
        "callback_url": "https://example.com/calls?key=1", "latest_delivery_id": 1, "open": 0, "delivered": 1, "failed": 0,
        "last_delivered_at": "2026-05-01T09:30:00Z", "last_failed_at": null
    });
    assert_eq!(admin.get("/api/callback-endpoints").await.expect(200), json!({ "items": [endpoint], "total": 1 }));
    admin.get("/api/deliveries/99").await.refused(404, "not_found");
    admin.post("/api/deliveries/99/replay", "").await.refused(404, "not_found");
}

#[tokio::test]
async fn delivery_request_is_visible_only_to_its_token() {
    let (server, _, holder, _) = furnished().await;
    let asked = "/api/speech-recognition?callback_url=https://example.com/calls";
    // HEAD must not cause deliveries.
    assert_eq!(holder.send(Method::HEAD, asked, "").await.status, 405);
    assert_eq!(holder.get(asked).await.expect(202)["speech_request_id"], 1);
    let other = server.anonymous().with_header("x-speech-token", &server.speech_token("Other").await);
    let other = other.with_header("x-request-id", "0190f3a2-7d4e-7c3b-9f60-5a1c2b3d4e5f");
    let theirs = other.get("/api/speech-recognition/requests/1").await;
    let none = other.get("/api/speech-recognition/requests/2").await;
    theirs.refused(404, "not_found");
    assert_eq!(theirs.body, none.body);
    let secret = |answer: Value| answer["secret"].as_str().unwrap().to_owned();
    let path = "/api/speech-recognition/webhook-secret";
    let (own, others) = (secret(holder.get(path).await.expect(200)), secret(other.get(path).await.expect(200)));
    assert!(own.starts_with("whsec_") && own != others, "each token signs with a secret of its own");
    assert_eq!(secret(holder.get(path).await.expect(200)), own, "it stays the same");
}

#[tokio::test]
async fn reports_all_faults_of_a_callback() {
    let (server, _, holder, _) = furnished().await;
    let asked = |query: &'static str| {
        let holder = holder.clone();
        async move { holder.get(&format!("/api/speech-recognition?{query}")).await.refused(400, "invalid_parameter") }
    };
    assert_eq!(
        asked("callback_method=PUT&callback_data=1").await,
        [
            "\"callback_method\" missing_value: requires callback_url",
            "\"callback_data\" missing_value: requires callback_url",
        ]
    );
    let faults = asked("words=*&limit=x&callback_method=GET&callback_url=ftp://example.com").await;
    let places: Vec<_> = faults.iter().map(|fault| fault.split(' ').next().unwrap()).collect();
    assert_eq!(places, ["\"words\"", "\"limit\"", "\"callback_method\"", "\"callback_url\""], "{faults:?}");
    for url in ["http://example.com/", "https://127.0.0.1/", "https://0x7f.1/", "https://[::1]/", "https://a:b@c.de/"] {
        let answer = holder.get(&format!("/api/speech-recognition?callback_url={url}")).await;
        assert_eq!(answer.refused(400, "invalid_parameter").len(), 1, "{url}");
    }
    assert_eq!(server.admin().get("/api/deliveries").await.expect(200)["total"], 0, "nothing was queued");
}

#[tokio::test]
async fn staff_can_deliver_for_a_token_and_test_a_callback() {
    let (server, _, _, [one, other]) = furnished().await;
    let admin = server.admin();
    let callback = json!({ "callback_url": "https://example.com/calls" });
    let asked = json!({ "search": { "phrase": "thank you" }, "callback": callback });
    let answer = admin.post("/api/speech-tokens/1/speech-requests", body(asked)).await;
    assert_eq!(answer.expect(202), json!({ "speech_request_id": 1, "call_ids": [other], "total": 1 }));
    assert_eq!(answer.header("location"), Some("/api/deliveries?speech_request_id=1"));
    let all = admin.post("/api/speech-tokens/1/speech-requests", body(json!({ "callback": callback }))).await;
    let mut calls = all.expect(202)["call_ids"].as_array().unwrap().clone();
    calls.sort_by_key(Value::as_i64);
    assert_eq!(calls, [json!(one), json!(other)]);
    let first = json!({ "limit": "1", "callback": callback });
    let first = admin.post("/api/speech-tokens/1/speech-requests", body(first)).await.expect(202);
    assert_eq!((first["call_ids"].as_array().unwrap().len(), &first["total"]), (1, &json!(2)));

    let answer = admin.post("/api/speech-tokens/1/test-deliveries", body(callback.clone())).await;
    let test = answer.expect(202);
    assert_eq!((&test["call_id"], &test["speech_request_id"]), (&Value::Null, &Value::Null));
    assert_eq!(answer.header("location"), Some(format!("/api/deliveries/{}", test["id"]).as_str()));

    let bad = json!({
        "search": { "words": "", "till": "2026-01-01T00:00:00Z", "from": "2026-01-02T00:00:00Z" }, "limit": "5;",
        "callback": { "callback_url": "https://10.0.0.1/", "callback_data": "{" }
    });
    let faults = admin.post("/api/speech-tokens/1/speech-requests", body(bad)).await.refused(400, "invalid_request");
    let places: Vec<_> = faults.iter().map(|fault| fault.split(' ').next().unwrap().trim_matches('"')).collect();
    assert_eq!(
        places,
        ["/search/words", "/search/till", "/limit", "/callback/callback_url", "/callback/callback_data"],
        "{faults:?}"
    );
    for (bad, fault) in [
        (json!({ "callback": ["https://example.com/"] }), "/callback"),
        (json!({ "search": [], "callback": callback }), "/search"),
    ] {
        assert_eq!(
            admin.post("/api/speech-tokens/1/speech-requests", body(bad)).await.refused(400, "invalid_request"),
            [format!("{fault:?} invalid_value: expected an object, found an array")]
        );
    }
    let misspelt = json!({ "callback": { "callback_url": "https://example.com/", "callback_methode": "PUT" } });
    let misspelt = admin.post("/api/speech-tokens/1/speech-requests", body(misspelt)).await;
    let faults = misspelt.refused(400, "invalid_request");
    assert!(
        faults[0].starts_with("\"/callback/callback_methode\" unknown_key: there is no such member here"),
        "{faults:?}"
    );
    let bad = admin.post("/api/speech-tokens/1/test-deliveries", r#"{"callback_url":"x"}"#).await;
    assert_eq!(bad.refused(400, "invalid_request").len(), 1);

    server.speech_token("Revoked").await;
    admin.delete("/api/speech-tokens/2").await.expect(200);
    for path in ["speech-requests", "test-deliveries"] {
        let asked = if path == "speech-requests" { json!({ "callback": callback }) } else { callback.clone() };
        let unknown = admin.post(&format!("/api/speech-tokens/99/{path}"), body(asked.clone())).await;
        unknown.refused(404, "not_found");
        admin.post(&format!("/api/speech-tokens/2/{path}"), body(asked)).await.refused(409, "conflict");
    }
}

#[tokio::test]
async fn pending_deliveries_per_token_are_limited() {
    let server = Server::configured(|config| config.callbacks.max_open_deliveries = 2).await;
    let token = server.speech_token("Acme").await;
    let holder = server.anonymous().with_header("x-speech-token", &token);
    for _ in 0..2 {
        server.transcribed_call(&token, json!({}), &[(Caller, "hello")]).await;
    }
    let path = "/api/speech-recognition?callback_url=https://example.com/calls";
    holder.get(path).await.expect(202);
    let refused =
        "\"\" too_many_open_deliveries: the token has 2 open deliveries, and 1 more would exceed the limit of 2";
    let answer = holder.get(&format!("{path}&limit=1")).await;
    assert_eq!(answer.refused(429, "too_many_open_deliveries"), [refused]);
    assert_eq!(answer.header("retry-after"), Some("60"));
    let hint = answer.json()["errors"][0]["suggestion"]["detail"].as_str().unwrap().to_owned();
    assert!(hint.starts_with("wait until some have ended, or request fewer at once"), "{hint}");
    let admin = server.admin();
    let callback = json!({ "callback_url": "https://example.com/calls" });
    let test = admin.post("/api/speech-tokens/1/test-deliveries", body(callback.clone())).await;
    assert_eq!(test.refused(429, "too_many_open_deliveries"), [refused]);
    let asked = json!({ "limit": "1", "callback": callback });
    let for_token = admin.post("/api/speech-tokens/1/speech-requests", body(asked)).await;
    assert_eq!(for_token.refused(429, "too_many_open_deliveries"), [refused]);
    assert_eq!(admin.get("/api/deliveries").await.expect(200)["total"], 2);

    holder.get(&format!("{path}&words=nobody")).await.expect(202);
    server.deliver(204, AfterAttempt::Delivered).await;
    holder.get(&format!("{path}&limit=1")).await.expect(202);
}

#[tokio::test]
async fn rotated_webhook_secret_stays_valid_for_a_day() {
    let (server, _, holder, _) = furnished().await;
    let admin = server.admin();
    let path = "/api/speech-tokens/1/webhook-secret";
    let before = admin.get(path).await.expect(200);
    assert_eq!(before["previous_until"], Value::Null);
    assert_eq!(holder.get("/api/speech-recognition/webhook-secret").await.expect(200), before);
    let after = admin.post(&format!("{path}/rotate"), "").await.expect(200);
    assert_ne!(after["secret"], before["secret"]);
    assert_eq!(after["previous_until"], "2026-05-02T09:30:00Z");
    assert_eq!(admin.get(path).await.expect(200), after);
    admin.get("/api/speech-tokens/99/webhook-secret").await.refused(404, "not_found");
    admin.post("/api/speech-tokens/99/webhook-secret/rotate", "").await.refused(404, "not_found");
    admin.delete("/api/speech-tokens/1").await.expect(200);
    admin.post(&format!("{path}/rotate"), "").await.refused(409, "conflict");
    assert_eq!(admin.get(path).await.expect(200), after);
}
