//! `/api/session`: the cookie, CSRF protection, the end of a session, and limits on log-in attempts.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::harness::{Answer, Client, PASSWORD, Server, body, cookie, log_in};

const PATH: &str = "/api/session";

/// Makes a change that needs a session.
async fn change(client: &Client) -> Answer {
    client.post("/api/campaigns", body(json!({ "name": "Solar" }))).await
}

#[tokio::test]
async fn login_sets_a_session_cookie() {
    let server = Server::start().await;
    server.user("ann@example.com", "manager").await;
    let answer = log_in(&server.anonymous(), " Ann@Example.com ", PASSWORD).await;
    let session = answer.expect(200);
    assert_eq!((&session["user"]["email"], &session["user"]["role"]), (&json!("ann@example.com"), &json!("manager")));
    let expires_at: DateTime<Utc> = session["expires_at"].as_str().unwrap().parse().unwrap();
    assert_eq!(expires_at, server.now() + TimeDelta::hours(12));
    let (secret, attributes) = answer.header("set-cookie").unwrap().split_once("; ").unwrap();
    assert!(secret.strip_prefix("leadscribe_session=ls_ses_").is_some_and(|secret| secret.len() == 43), "{secret}");
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Path=/");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert!(!answer.text().contains(PASSWORD) && !answer.text().contains("ls_ses_"));

    let who = server.anonymous().with_header("cookie", &format!("theme=dark; {secret}")).get(PATH).await.expect(200);
    assert_eq!((&who["csrf_token"], &who["user"]["id"]), (&session["csrf_token"], &session["user"]["id"]));
}

#[tokio::test]
async fn cookie_is_bound_to_the_host_over_tls() {
    let server = Server::configured(|config| config.http.behind_tls = true).await;
    server.user("ann@example.com", "viewer").await;
    let answer = log_in(&server.anonymous(), "ann@example.com", PASSWORD).await;
    let (secret, attributes) = answer.header("set-cookie").unwrap().split_once("; ").unwrap();
    assert!(secret.starts_with("__Host-leadscribe_session=ls_ses_"), "{secret}");
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Secure; Path=/");
    server.panel(&answer).get(PATH).await.expect(200);
    let plain = secret.strip_prefix("__Host-").unwrap();
    server.anonymous().with_header("cookie", plain).get(PATH).await.expect(204);
    assert!(answer.header("strict-transport-security").is_some());
}

#[tokio::test]
async fn change_requires_the_sessions_csrf_token() {
    let server = Server::start().await;
    server.user("ann@example.com", "admin").await;
    let answer = log_in(&server.anonymous(), "ann@example.com", PASSWORD).await;
    let other = log_in(&server.anonymous(), "ann@example.com", PASSWORD).await.expect(200);
    let without = server.anonymous().with_header("cookie", &cookie(&answer));
    without.get("/api/campaigns").await.expect(200);
    let wrong = ["", "ls_csrf_", "null", other["csrf_token"].as_str().unwrap()];
    for client in std::iter::once(without.clone()).chain(wrong.map(|token| without.with_header("x-csrf-token", token)))
    {
        change(&client).await.refused(403, "csrf_failed");
        client.put("/api/statuses/later", r#"{"label":"Later","dialable":true}"#).await.refused(403, "csrf_failed");
        client.patch("/api/users/1", r#"{"role":"viewer"}"#).await.refused(403, "csrf_failed");
        client.delete("/api/users/1").await.refused(403, "csrf_failed");
        client.delete(PATH).await.refused(403, "csrf_failed");
    }
    change(&server.panel(&answer)).await.expect(201);
    assert_eq!(server.admin().get("/api/campaigns").await.expect(200)["total"], 1);
}

#[tokio::test]
async fn requests_from_other_origins_are_rejected() {
    let server = Server::start().await;
    server.user("ann@example.com", "admin").await;
    let answer = log_in(&server.anonymous(), "ann@example.com", PASSWORD).await;
    let panel = server.panel(&answer);
    let host = server.base().strip_prefix("http://").unwrap();
    for origin in ["https://evil.example", "null", "http://127.0.0.1", &format!("http://{host}.evil.example"), host] {
        let foreign = panel.with_header("origin", origin);
        change(&foreign).await.refused(403, "csrf_failed");
        let login = server.anonymous().with_header("origin", origin);
        log_in(&login, "ann@example.com", PASSWORD).await.refused(403, "csrf_failed");
    }
    change(&panel.with_header("origin", server.base())).await.expect(201);
    log_in(&server.anonymous().with_header("origin", server.base()), "ann@example.com", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn session_expires() {
    let server = Server::start().await;
    let client = server.staff("viewer").await;
    for hours in [4, 4, 4] {
        server.advance(TimeDelta::hours(hours) - TimeDelta::microseconds(1));
        client.get(PATH).await.expect(200);
    }
    server.advance(TimeDelta::microseconds(3));
    client.get(PATH).await.expect(204);
    client.get("/api/campaigns").await.refused(401, "unauthenticated");
}

#[tokio::test]
async fn idle_session_expires() {
    let server = Server::configured(|config| config.login.session_idle_minutes = 60).await;
    server.user("ann@example.com", "viewer").await;
    let log_in = async || server.panel(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let (desk, laptop) = (log_in().await, log_in().await);
    // The last use is recorded every five minutes, and the idle limit allows for that.
    server.advance(TimeDelta::minutes(65));
    desk.get("/api/campaigns").await.expect(200);
    server.advance(TimeDelta::microseconds(1));
    laptop.get("/api/campaigns").await.refused(401, "unauthenticated");
    let listed = desk.get("/api/sessions").await.expect(200);
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    // An unattended panel continues to load changes, which doesn't extend the session.
    let panel = desk.with_header("x-unattended", "true");
    for _ in 0..2 {
        server.advance(TimeDelta::minutes(30));
        panel.get("/api/campaigns").await.expect(200);
    }
    server.advance(TimeDelta::minutes(10));
    panel.get("/api/campaigns").await.refused(401, "unauthenticated");
}

#[tokio::test]
async fn logout_ends_only_this_session() {
    let server = Server::start().await;
    server.user("ann@example.com", "viewer").await;
    let [one, other] = [
        server.panel(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await),
        server.panel(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await),
    ];
    let answer = one.delete(PATH).await;
    assert_eq!((answer.expect(204), answer.body.len()), (Value::Null, 0));
    let cleared = answer.header("set-cookie").unwrap();
    assert!(cleared.starts_with("leadscribe_session=;") && cleared.contains("Max-Age=0"), "{cleared}");
    one.get(PATH).await.expect(204);
    one.get("/api/campaigns").await.refused(401, "unauthenticated");
    one.delete(PATH).await.refused(401, "unauthenticated");
    other.get(PATH).await.expect(200);
}

#[tokio::test]
async fn login_replaces_the_previous_session() {
    let server = Server::start().await;
    server.user("ann@example.com", "viewer").await;
    let before = log_in(&server.anonymous(), "ann@example.com", PASSWORD).await;
    let again = server.anonymous().with_header("cookie", &cookie(&before));
    // A failed log-in keeps the current session.
    log_in(&again, "ann@example.com", "wrong").await.refused(401, "invalid_login");
    server.panel(&before).get(PATH).await.expect(200);
    let after = log_in(&again, "ann@example.com", PASSWORD).await;
    assert_ne!(cookie(&after), cookie(&before));
    server.panel(&before).get(PATH).await.expect(204);
    server.panel(&after).get(PATH).await.expect(200);
}

#[tokio::test]
async fn unknown_address_looks_like_a_wrong_password() {
    let server = Server::start().await;
    server.user("ann@example.com", "admin").await;
    let anonymous = server.anonymous().with_header("x-request-id", "0190f3a2-7d4e-7c3b-9f60-5a1c2b3d4e5f");
    let wrong = log_in(&anonymous, "ann@example.com", "correct horse batterz").await;
    let nobody = log_in(&anonymous, "bob@example.com", PASSWORD).await;
    assert_eq!((wrong.status, wrong.text()), (nobody.status, nobody.text()));
    wrong.refused(401, "invalid_login");
    assert!(wrong.header("set-cookie").is_none());
}

#[tokio::test]
async fn login_attempts_are_limited_per_account_and_address() {
    let server =
        Server::configured(|config| (config.login.account_attempts, config.login.address_attempts) = (3, 5)).await;
    server.user("ann@example.com", "admin").await;
    server.user("bob@example.com", "admin").await;
    let anonymous = server.anonymous();
    for _ in 0..3 {
        log_in(&anonymous, "ann@example.com", "wrong").await.refused(401, "invalid_login");
    }
    // The limit applies to the right password too, and to other spellings of the name.
    for name in ["ann@example.com", "ANN@example.com "] {
        let answer = log_in(&anonymous, name, PASSWORD).await;
        answer.refused(429, "too_many_requests");
        let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=61).contains(&seconds), "{seconds}");
    }
    // Five attempts of this address have been counted, successful or not.
    log_in(&anonymous, "bob@example.com", PASSWORD).await.refused(429, "too_many_requests");
    let elsewhere = anonymous.with_header("x-forwarded-for", "192.0.2.7");
    log_in(&elsewhere, "bob@example.com", PASSWORD).await.refused(429, "too_many_requests");
}

/// Returns name and value of the device cookie, which makes a browser known.
fn device(answer: &Answer) -> String {
    let cookies = answer.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
    let device = cookies.map(|cookie| cookie.split(';').next().unwrap()).find(|cookie| cookie.contains("_device="));
    device.expect("a browser is made known").to_owned()
}

#[tokio::test]
async fn account_limit_does_not_block_known_browsers() {
    let server =
        Server::configured(|config| (config.login.account_attempts, config.login.address_attempts) = (3, 5)).await;
    server.user("ann@example.com", "admin").await;
    server.user("bob@example.com", "viewer").await;
    let anonymous = server.anonymous();
    let known = device(&log_in(&anonymous, "ann@example.com", PASSWORD).await);
    let of_bob = device(&log_in(&anonymous, "bob@example.com", PASSWORD).await);
    // Another person behind the same address uses up the attempts.
    while log_in(&anonymous, "ann@example.com", "guess").await.status != 429 {}
    log_in(&anonymous, "ann@example.com", PASSWORD).await.refused(429, "too_many_requests");

    // Another user's device cookie, or an altered one, makes no browser known.
    let passed_on = of_bob.replace("=2.", "=1.");
    let altered = known.replace("=1.", "=1.A");
    assert!(passed_on != of_bob && altered != known);
    for cookie in [passed_on, altered, of_bob.clone()] {
        let client = anonymous.with_header("cookie", &cookie);
        log_in(&client, "ann@example.com", PASSWORD).await.refused(429, "too_many_requests");
    }
    let client = anonymous.with_header("cookie", &known);
    let again = log_in(&client, "ann@example.com", PASSWORD).await;
    again.expect(200);
    assert_eq!(device(&again), known, "it stays the same browser");

    // A known browser has the same limit on attempts.
    while log_in(&client, "ann@example.com", "guess").await.status != 429 {}
    log_in(&client, "ann@example.com", PASSWORD).await.refused(429, "too_many_requests");

    // Two users may share a browser.
    let shared = device(&log_in(&anonymous.with_header("cookie", &of_bob), "bob@example.com", PASSWORD).await);
    assert_eq!(shared, of_bob);
    let later = server.beside(|config| config.login.account_attempts = 2).await;
    let of_both = later.anonymous().with_header("cookie", &shared);
    let both = device(&log_in(&of_both, "ann@example.com", PASSWORD).await);
    assert!(both.contains("=1.") && both.contains("~2."), "{both}");
    for _ in 0..2 {
        log_in(&later.anonymous(), "bob@example.com", "guess").await.refused(401, "invalid_login");
    }
    log_in(&later.anonymous(), "bob@example.com", PASSWORD).await.refused(429, "too_many_requests");
    log_in(&later.anonymous().with_header("cookie", &both), "bob@example.com", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn account_limit_spans_addresses_and_spares_known_browsers() {
    let server = Server::configured(|config| {
        config.login.account_attempts = 1;
        config.http.trust_forwarded_for = true;
    })
    .await;
    server.user("ann@example.com", "admin").await;
    let from = |last: u8| server.anonymous().with_header("x-forwarded-for", &format!("192.0.2.{last}"));
    let known = device(&log_in(&from(1), "ann@example.com", PASSWORD).await);
    let mut taken = 0;
    while log_in(&from(2 + taken), "ann@example.com", "guess").await.status != 429 {
        taken += 1;
    }
    // Ten attempts including the log-in, and those that arrived while others were being checked.
    assert!(taken >= 9, "{taken}");
    log_in(&from(253), "ann@example.com", PASSWORD).await.refused(429, "too_many_requests");
    log_in(&from(254).with_header("cookie", &known), "ann@example.com", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn new_password_forgets_all_other_browsers() {
    let server = Server::configured(|config| config.login.account_attempts = 2).await;
    server.user("ann@example.com", "viewer").await;
    let first = log_in(&server.anonymous(), "ann@example.com", PASSWORD).await;
    let there = device(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let change = json!({ "current_password": PASSWORD, "password": "another good one" });
    // The address has used up its attempts, which a session doesn't need.
    let changed = server.panel(&first).put("/api/session/password", body(change)).await;
    assert_eq!(changed.status, 204);
    let here = device(&changed);
    let with = |cookie: &str| server.anonymous().with_header("cookie", cookie);
    log_in(&with(&there), "ann@example.com", "another good one").await.refused(429, "too_many_requests");
    log_in(&with(&here), "ann@example.com", "another good one").await.expect(200);
}

#[tokio::test]
async fn client_address_is_taken_from_the_proxy() {
    let server = Server::configured(|config| {
        config.login.address_attempts = 1;
        config.http.trust_forwarded_for = true;
    })
    .await;
    server.user("ann@example.com", "admin").await;
    let from = |list: &str| server.anonymous().with_header("x-forwarded-for", list);
    log_in(&from("192.0.2.7"), "ann@example.com", PASSWORD).await.expect(200);
    log_in(&from("203.0.113.9, 192.0.2.7"), "ann@example.com", PASSWORD).await.refused(429, "too_many_requests");
    log_in(&from("192.0.2.7, 192.0.2.8"), "ann@example.com", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn rejects_malformed_logins() {
    let server = Server::start().await;
    for bad in [
        "",
        "null",
        "{}",
        r#"{"email":"ann@example.com"}"#,
        r#"{"email":"ann@example.com","password":5}"#,
        r#"{"email":"ann@example.com","password":"x","remember":true}"#,
    ] {
        server.anonymous().post(PATH, bad).await.refused(400, "invalid_request");
    }
    server.admin().get(PATH).await.expect(204);
    server.admin().delete(PATH).await.refused(403, "forbidden");
    server.anonymous().get(PATH).await.expect(204);
    server.anonymous().with_key("ls_key_unknown").get(PATH).await.refused(401, "invalid_api_key");
}

#[tokio::test]
async fn changing_a_password_requires_the_current_one() {
    const OWN: &str = "/api/session/password";
    let server = Server::configured(|config| config.login.account_attempts = 20).await;
    server.user("ann@example.com", "viewer").await;
    let here = server.panel(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let there = server.panel(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let change = |current: &str, new: &str| body(json!({ "current_password": current, "password": new }));

    let short = here.put(OWN, change(PASSWORD, "short")).await.refused(400, "invalid_request");
    assert_eq!(short, ["\"/password\" invalid_password: expected a password of 12 to 256 characters, found 5"]);
    let wrong = here.put(OWN, change("not the password", "another good one")).await.refused(400, "invalid_request");
    assert_eq!(wrong, ["\"/current_password\" wrong_password: the current password is wrong"]);
    there.get(PATH).await.expect(200);

    assert_eq!(here.put(OWN, change(PASSWORD, "another good one")).await.status, 204);
    here.get(PATH).await.expect(200);
    there.get(PATH).await.expect(204);
    log_in(&server.anonymous(), "ann@example.com", PASSWORD).await.refused(401, "invalid_login");
    log_in(&server.anonymous(), "ann@example.com", "another good one").await.expect(200);
    // API keys have no password.
    server.admin().put(OWN, change(PASSWORD, "another good one")).await.refused(403, "forbidden");
}

#[tokio::test]
async fn password_guesses_are_limited_per_session() {
    let server = Server::configured(|config| config.login.account_attempts = 3).await;
    server.user("ann@example.com", "viewer").await;
    let client = server.panel(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let guess = body(json!({ "current_password": "a wrong guess", "password": "another good one" }));
    for _ in 0..3 {
        client.put("/api/session/password", guess.clone()).await.refused(400, "invalid_request");
    }
    client.put("/api/session/password", guess).await.refused(429, "too_many_requests");
}

#[tokio::test]
async fn weak_new_passwords_count_as_attempts() {
    let server = Server::configured(|config| config.login.account_attempts = 3).await;
    server.user("ann@example.com", "viewer").await;
    let client = server.panel(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let weak = body(json!({ "current_password": PASSWORD, "password": "password1234" }));
    for _ in 0..3 {
        client.put("/api/session/password", weak.clone()).await.refused(400, "invalid_request");
    }
    client.put("/api/session/password", weak).await.refused(429, "too_many_requests");
}

#[tokio::test]
async fn own_sessions_are_listed_and_can_be_ended() {
    const OWN: &str = "/api/sessions";
    let server = Server::configured(|config| {
        config.login.account_attempts = 20;
        config.http.trust_forwarded_for = true;
    })
    .await;
    server.user("ann@example.com", "viewer").await;
    server.user("bob@example.com", "viewer").await;
    let phone = "Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36";
    let phone = server.anonymous().with_header("user-agent", phone).with_header("x-forwarded-for", "192.0.2.7");
    let there = server.panel(&log_in(&phone, "ann@example.com", PASSWORD).await);
    server.advance(TimeDelta::minutes(7));
    let here = server.panel(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let other = server.panel(&log_in(&server.anonymous(), "bob@example.com", PASSWORD).await);

    let listed = here.get(OWN).await.expect(200);
    let sessions = listed.as_array().unwrap();
    assert_eq!(sessions.len(), 2, "{listed}");
    let told = |session: &Value| {
        ["browser", "system", "address", "current", "created_at", "last_used_at"].map(|name| session[name].clone())
    };
    assert_eq!(
        told(&sessions[1]),
        [
            json!("Chrome"),
            json!("Android"),
            json!("192.0.2.7"),
            json!(false),
            json!("2026-05-01T09:30:00Z"),
            json!("2026-05-01T09:30:00Z")
        ]
    );
    assert_eq!((&sessions[0]["current"], &sessions[0]["browser"]), (&json!(true), &Value::Null));
    assert!(!listed.to_string().contains("csrf"), "{listed}");

    // The last use is recorded every five minutes.
    there.get(PATH).await.expect(200);
    assert_eq!(here.get(OWN).await.expect(200)[1]["last_used_at"], "2026-05-01T09:35:00Z");

    let path = format!("{OWN}/{}", sessions[1]["id"]);
    other.delete(&path).await.refused(404, "not_found");
    assert_eq!(here.delete(&path).await.status, 204);
    here.delete(&path).await.refused(404, "not_found");
    there.get(PATH).await.expect(204);
    there.get(OWN).await.refused(401, "unauthenticated");

    let again = server.panel(&log_in(&phone, "ann@example.com", PASSWORD).await);
    assert_eq!(here.delete(OWN).await.status, 204);
    again.get(PATH).await.expect(204);
    for goes_on in [&here, &other] {
        goes_on.get(PATH).await.expect(200);
    }
    let log = server.admin().get("/api/audit-log?action=session.end").await.expect(200);
    let subjects: Vec<_> = log["items"].as_array().unwrap().iter().map(|entry| entry["subject"].clone()).collect();
    assert_eq!(subjects, [json!("user:1"), json!(format!("session:{}", sessions[1]["id"]))]);

    assert_eq!(server.admin().delete("/api/users/1/sessions").await.status, 204);
    here.get(PATH).await.expect(204);
    other.get(PATH).await.expect(200);
    server.admin().delete("/api/users/99/sessions").await.refused(404, "not_found");
}
