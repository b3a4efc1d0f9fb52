//! `/api/session`: the cookie, CSRF protection, the end of a session, and limits on login attempts.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::harness::{Client, PASSWORD, Response, Server, body, log_in, session_cookie};

const PATH: &str = "/api/session";

/// Makes a change that needs a session.
async fn create_campaign(client: &Client) -> Response {
    client.post("/api/campaigns", body(json!({ "name": "Solar" }))).await
}

#[tokio::test]
async fn login_sets_a_session_cookie() {
    let server = Server::start().await;
    server.create_user("ann@example.com", "manager").await;
    let response = log_in(&server.anonymous(), " Ann@Example.com ", PASSWORD).await;
    let session = response.expect(200);
    assert_eq!((&session["user"]["email"], &session["user"]["role"]), (&json!("ann@example.com"), &json!("manager")));
    let expires_at: DateTime<Utc> = session["expires_at"].as_str().unwrap().parse().unwrap();
    assert_eq!(expires_at, server.now() + TimeDelta::hours(12));
    let (session_cookie, attributes) = response.header("set-cookie").unwrap().split_once("; ").unwrap();
    assert!(
        session_cookie
            .strip_prefix("leadscribe_session=ls_ses_")
            .is_some_and(|session_cookie| session_cookie.len() == 43),
        "{session_cookie}"
    );
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Path=/");
    assert_eq!(response.header("cache-control"), Some("no-store"));
    assert!(!response.text().contains(PASSWORD) && !response.text().contains("ls_ses_"));

    let session_info =
        server.anonymous().with_header("cookie", &format!("theme=dark; {session_cookie}")).get(PATH).await.expect(200);
    assert_eq!(
        (&session_info["csrf_token"], &session_info["user"]["id"]),
        (&session["csrf_token"], &session["user"]["id"])
    );
}

#[tokio::test]
async fn cookie_is_bound_to_the_host_over_tls() {
    let server = Server::start_configured(|config| config.http.behind_tls = true).await;
    server.create_user("ann@example.com", "viewer").await;
    let response = log_in(&server.anonymous(), "ann@example.com", PASSWORD).await;
    let (session_cookie, attributes) = response.header("set-cookie").unwrap().split_once("; ").unwrap();
    assert!(session_cookie.starts_with("__Host-leadscribe_session=ls_ses_"), "{session_cookie}");
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Secure; Path=/");
    server.panel_client(&response).get(PATH).await.expect(200);
    let unprefixed_cookie = session_cookie.strip_prefix("__Host-").unwrap();
    server.anonymous().with_header("cookie", unprefixed_cookie).get(PATH).await.expect(204);
    assert!(response.header("strict-transport-security").is_some());
}

#[tokio::test]
async fn change_requires_the_sessions_csrf_token() {
    let server = Server::start().await;
    server.create_user("ann@example.com", "admin").await;
    let response = log_in(&server.anonymous(), "ann@example.com", PASSWORD).await;
    let other_session = log_in(&server.anonymous(), "ann@example.com", PASSWORD).await.expect(200);
    let client_without_token = server.anonymous().with_header("cookie", &session_cookie(&response));
    client_without_token.get("/api/campaigns").await.expect(200);
    let wrong_tokens = ["", "ls_csrf_", "null", other_session["csrf_token"].as_str().unwrap()];
    for client in std::iter::once(client_without_token.clone())
        .chain(wrong_tokens.map(|token| client_without_token.with_header("x-csrf-token", token)))
    {
        create_campaign(&client).await.expect_problem(403, "csrf_failed");
        client
            .put("/api/statuses/later", r#"{"label":"Later","dialable":true}"#)
            .await
            .expect_problem(403, "csrf_failed");
        client.patch("/api/users/1", r#"{"role":"viewer"}"#).await.expect_problem(403, "csrf_failed");
        client.delete("/api/users/1").await.expect_problem(403, "csrf_failed");
        client.delete(PATH).await.expect_problem(403, "csrf_failed");
    }
    create_campaign(&server.panel_client(&response)).await.expect(201);
    assert_eq!(server.admin().get("/api/campaigns").await.expect(200)["total"], 1);
}

#[tokio::test]
async fn requests_from_other_origins_are_rejected() {
    let server = Server::start().await;
    server.create_user("ann@example.com", "admin").await;
    let response = log_in(&server.anonymous(), "ann@example.com", PASSWORD).await;
    let panel = server.panel_client(&response);
    let host = server.base().strip_prefix("http://").unwrap();
    for origin in ["https://evil.example", "null", "http://127.0.0.1", &format!("http://{host}.evil.example"), host] {
        let foreign_client = panel.with_header("origin", origin);
        create_campaign(&foreign_client).await.expect_problem(403, "csrf_failed");
        let foreign_login = server.anonymous().with_header("origin", origin);
        log_in(&foreign_login, "ann@example.com", PASSWORD).await.expect_problem(403, "csrf_failed");
    }
    create_campaign(&panel.with_header("origin", server.base())).await.expect(201);
    log_in(&server.anonymous().with_header("origin", server.base()), "ann@example.com", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn session_expires() {
    let server = Server::start().await;
    let client = server.logged_in_client("viewer").await;
    for hours in [4, 4, 4] {
        server.advance(TimeDelta::hours(hours) - TimeDelta::microseconds(1));
        client.get(PATH).await.expect(200);
    }
    server.advance(TimeDelta::microseconds(3));
    client.get(PATH).await.expect(204);
    client.get("/api/campaigns").await.expect_problem(401, "unauthenticated");
}

#[tokio::test]
async fn idle_session_expires() {
    let server = Server::start_configured(|config| config.login.session_idle_minutes = 60).await;
    server.create_user("ann@example.com", "viewer").await;
    let log_in = async || server.panel_client(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let (desk, laptop) = (log_in().await, log_in().await);
    // The last use is recorded every five minutes, and the idle limit allows for that.
    server.advance(TimeDelta::minutes(65));
    desk.get("/api/campaigns").await.expect(200);
    server.advance(TimeDelta::microseconds(1));
    laptop.get("/api/campaigns").await.expect_problem(401, "unauthenticated");
    let sessions = desk.get("/api/sessions").await.expect(200);
    assert_eq!(sessions.as_array().map(Vec::len), Some(1), "{sessions}");
    // A panel of an idle user continues to load changes, which doesn't extend the session.
    let panel = desk.with_header("x-background-request", "true");
    for _ in 0..2 {
        server.advance(TimeDelta::minutes(30));
        panel.get("/api/campaigns").await.expect(200);
    }
    server.advance(TimeDelta::minutes(10));
    panel.get("/api/campaigns").await.expect_problem(401, "unauthenticated");
}

#[tokio::test]
async fn logout_ends_only_this_session() {
    let server = Server::start().await;
    server.create_user("ann@example.com", "viewer").await;
    let [first, second] = [
        server.panel_client(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await),
        server.panel_client(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await),
    ];
    let response = first.delete(PATH).await;
    assert_eq!((response.expect(204), response.body.len()), (Value::Null, 0));
    let cleared_cookie = response.header("set-cookie").unwrap();
    assert!(
        cleared_cookie.starts_with("leadscribe_session=;") && cleared_cookie.contains("Max-Age=0"),
        "{cleared_cookie}"
    );
    first.get(PATH).await.expect(204);
    first.get("/api/campaigns").await.expect_problem(401, "unauthenticated");
    first.delete(PATH).await.expect_problem(401, "unauthenticated");
    second.get(PATH).await.expect(200);
}

#[tokio::test]
async fn login_replaces_the_previous_session() {
    let server = Server::start().await;
    server.create_user("ann@example.com", "viewer").await;
    let first_login = log_in(&server.anonymous(), "ann@example.com", PASSWORD).await;
    let second_client = server.anonymous().with_header("cookie", &session_cookie(&first_login));
    // A failed login keeps the current session.
    log_in(&second_client, "ann@example.com", "wrong").await.expect_problem(401, "invalid_login");
    server.panel_client(&first_login).get(PATH).await.expect(200);
    let second_login = log_in(&second_client, "ann@example.com", PASSWORD).await;
    assert_ne!(session_cookie(&second_login), session_cookie(&first_login));
    server.panel_client(&first_login).get(PATH).await.expect(204);
    server.panel_client(&second_login).get(PATH).await.expect(200);
}

#[tokio::test]
async fn unknown_address_looks_like_a_wrong_password() {
    let server = Server::start().await;
    server.create_user("ann@example.com", "admin").await;
    let anonymous = server.anonymous().with_header("x-request-id", "0190f3a2-7d4e-7c3b-9f60-5a1c2b3d4e5f");
    let wrong_password = log_in(&anonymous, "ann@example.com", "correct horse batterz").await;
    let unknown_address = log_in(&anonymous, "bob@example.com", PASSWORD).await;
    assert_eq!((wrong_password.status, wrong_password.text()), (unknown_address.status, unknown_address.text()));
    wrong_password.expect_problem(401, "invalid_login");
    assert!(wrong_password.header("set-cookie").is_none());
}

#[tokio::test]
async fn login_attempts_are_limited_per_account_and_address() {
    let server =
        Server::start_configured(|config| (config.login.account_attempts, config.login.address_attempts) = (3, 5))
            .await;
    server.create_user("ann@example.com", "admin").await;
    server.create_user("bob@example.com", "admin").await;
    let anonymous = server.anonymous();
    for _ in 0..3 {
        log_in(&anonymous, "ann@example.com", "wrong").await.expect_problem(401, "invalid_login");
    }
    // The limit applies to the right password too, and to other spellings of the name.
    for name in ["ann@example.com", "ANN@example.com "] {
        let response = log_in(&anonymous, name, PASSWORD).await;
        response.expect_problem(429, "too_many_requests");
        let seconds: u64 = response.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=61).contains(&seconds), "{seconds}");
    }
    // Five attempts of this address have been counted, successful or not.
    log_in(&anonymous, "bob@example.com", PASSWORD).await.expect_problem(429, "too_many_requests");
    let forwarded_client = anonymous.with_header("x-forwarded-for", "192.0.2.7");
    log_in(&forwarded_client, "bob@example.com", PASSWORD).await.expect_problem(429, "too_many_requests");
}

/// Returns name and value of the device cookie, which makes a browser known.
fn device_cookie(response: &Response) -> String {
    let cookies = response.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
    let device = cookies.map(|cookie| cookie.split(';').next().unwrap()).find(|cookie| cookie.contains("_device="));
    device.expect("a device cookie").to_owned()
}

#[tokio::test]
async fn account_limit_does_not_block_known_browsers() {
    let server =
        Server::start_configured(|config| (config.login.account_attempts, config.login.address_attempts) = (3, 5))
            .await;
    server.create_user("ann@example.com", "admin").await;
    server.create_user("bob@example.com", "viewer").await;
    let anonymous = server.anonymous();
    let known_device = device_cookie(&log_in(&anonymous, "ann@example.com", PASSWORD).await);
    let bobs_device = device_cookie(&log_in(&anonymous, "bob@example.com", PASSWORD).await);
    // Another person behind the same address uses up the attempts.
    while log_in(&anonymous, "ann@example.com", "guess").await.status != 429 {}
    log_in(&anonymous, "ann@example.com", PASSWORD).await.expect_problem(429, "too_many_requests");

    // A forged or altered device cookie, or another user's, doesn't make the browser known.
    let forged_device = bobs_device.replace("=2.", "=1.");
    let altered_device = known_device.replace("=1.", "=1.A");
    assert!(forged_device != bobs_device && altered_device != known_device);
    for cookie in [forged_device, altered_device, bobs_device.clone()] {
        let client = anonymous.with_header("cookie", &cookie);
        log_in(&client, "ann@example.com", PASSWORD).await.expect_problem(429, "too_many_requests");
    }
    let client = anonymous.with_header("cookie", &known_device);
    let second_login = log_in(&client, "ann@example.com", PASSWORD).await;
    second_login.expect(200);
    assert_eq!(device_cookie(&second_login), known_device, "the device cookie is unchanged");

    // A known browser has the same limit on attempts.
    while log_in(&client, "ann@example.com", "guess").await.status != 429 {}
    log_in(&client, "ann@example.com", PASSWORD).await.expect_problem(429, "too_many_requests");

    // Two users may share a browser.
    let shared_device =
        device_cookie(&log_in(&anonymous.with_header("cookie", &bobs_device), "bob@example.com", PASSWORD).await);
    assert_eq!(shared_device, bobs_device);
    let sibling_server = server.start_sibling(|config| config.login.account_attempts = 2).await;
    let shared_client = sibling_server.anonymous().with_header("cookie", &shared_device);
    let device_of_both = device_cookie(&log_in(&shared_client, "ann@example.com", PASSWORD).await);
    assert!(device_of_both.contains("=1.") && device_of_both.contains("~2."), "{device_of_both}");
    for _ in 0..2 {
        log_in(&sibling_server.anonymous(), "bob@example.com", "guess").await.expect_problem(401, "invalid_login");
    }
    log_in(&sibling_server.anonymous(), "bob@example.com", PASSWORD).await.expect_problem(429, "too_many_requests");
    log_in(&sibling_server.anonymous().with_header("cookie", &device_of_both), "bob@example.com", PASSWORD)
        .await
        .expect(200);
}

#[tokio::test]
async fn account_limit_spans_addresses_and_spares_known_browsers() {
    let server = Server::start_configured(|config| {
        config.login.account_attempts = 1;
        config.http.trust_forwarded_for = true;
    })
    .await;
    server.create_user("ann@example.com", "admin").await;
    let client_from =
        |last_octet: u8| server.anonymous().with_header("x-forwarded-for", &format!("192.0.2.{last_octet}"));
    let known_device = device_cookie(&log_in(&client_from(1), "ann@example.com", PASSWORD).await);
    let mut attempts = 0;
    while log_in(&client_from(2 + attempts), "ann@example.com", "guess").await.status != 429 {
        attempts += 1;
    }
    // The limit is ten attempts including the login. More may pass if they arrive while others are being checked.
    assert!(attempts >= 9, "{attempts}");
    log_in(&client_from(253), "ann@example.com", PASSWORD).await.expect_problem(429, "too_many_requests");
    log_in(&client_from(254).with_header("cookie", &known_device), "ann@example.com", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn new_password_forgets_all_other_browsers() {
    let server = Server::start_configured(|config| config.login.account_attempts = 2).await;
    server.create_user("ann@example.com", "viewer").await;
    let first_login = log_in(&server.anonymous(), "ann@example.com", PASSWORD).await;
    let other_device = device_cookie(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let request = json!({ "current_password": PASSWORD, "password": "another good one" });
    // Both login attempts are used up. A password change with a session doesn't count as one.
    let change_response = server.panel_client(&first_login).put("/api/session/password", body(request)).await;
    assert_eq!(change_response.status, 204);
    let current_device = device_cookie(&change_response);
    let client_with_cookie = |cookie: &str| server.anonymous().with_header("cookie", cookie);
    log_in(&client_with_cookie(&other_device), "ann@example.com", "another good one")
        .await
        .expect_problem(429, "too_many_requests");
    log_in(&client_with_cookie(&current_device), "ann@example.com", "another good one").await.expect(200);
}

#[tokio::test]
async fn client_address_is_taken_from_the_proxy() {
    let server = Server::start_configured(|config| {
        config.login.address_attempts = 1;
        config.http.trust_forwarded_for = true;
    })
    .await;
    server.create_user("ann@example.com", "admin").await;
    let client_from = |forwarded_for: &str| server.anonymous().with_header("x-forwarded-for", forwarded_for);
    log_in(&client_from("192.0.2.7"), "ann@example.com", PASSWORD).await.expect(200);
    log_in(&client_from("203.0.113.9, 192.0.2.7"), "ann@example.com", PASSWORD)
        .await
        .expect_problem(429, "too_many_requests");
    log_in(&client_from("192.0.2.7, 192.0.2.8"), "ann@example.com", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn changing_a_password_requires_the_current_one() {
    const PASSWORD_PATH: &str = "/api/session/password";
    let server = Server::start_configured(|config| config.login.account_attempts = 20).await;
    server.create_user("ann@example.com", "viewer").await;
    let current_client = server.panel_client(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let other_client = server.panel_client(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let change_request = |current: &str, new: &str| body(json!({ "current_password": current, "password": new }));

    let too_short = current_client
        .put(PASSWORD_PATH, change_request(PASSWORD, "short"))
        .await
        .expect_problem(400, "invalid_request");
    assert_eq!(too_short, ["\"/password\" invalid_password: the password must have 12 to 256 characters, but has 5"]);
    let wrong_current = current_client
        .put(PASSWORD_PATH, change_request("not the password", "another good one"))
        .await
        .expect_problem(400, "invalid_request");
    assert_eq!(wrong_current, ["\"/current_password\" wrong_password: the current password is wrong"]);
    other_client.get(PATH).await.expect(200);

    assert_eq!(current_client.put(PASSWORD_PATH, change_request(PASSWORD, "another good one")).await.status, 204);
    current_client.get(PATH).await.expect(200);
    other_client.get(PATH).await.expect(204);
    log_in(&server.anonymous(), "ann@example.com", PASSWORD).await.expect_problem(401, "invalid_login");
    log_in(&server.anonymous(), "ann@example.com", "another good one").await.expect(200);
}

#[tokio::test]
async fn rejected_password_changes_are_limited_per_session() {
    for (current_password, password) in [("a wrong guess", "another good one"), (PASSWORD, "password1234")] {
        let server = Server::start_configured(|config| config.login.account_attempts = 3).await;
        server.create_user("ann@example.com", "viewer").await;
        let client = server.panel_client(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
        let change = body(json!({ "current_password": current_password, "password": password }));
        for _ in 0..3 {
            client.put("/api/session/password", change.clone()).await.expect_problem(400, "invalid_request");
        }
        client.put("/api/session/password", change).await.expect_problem(429, "too_many_requests");
    }
}

#[tokio::test]
async fn own_sessions_are_listed_and_can_be_ended() {
    const SESSIONS_PATH: &str = "/api/sessions";
    let server = Server::start_configured(|config| {
        config.login.account_attempts = 20;
        config.http.trust_forwarded_for = true;
    })
    .await;
    server.create_user("ann@example.com", "viewer").await;
    server.create_user("bob@example.com", "viewer").await;
    let phone = "Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36";
    let phone = server.anonymous().with_header("user-agent", phone).with_header("x-forwarded-for", "192.0.2.7");
    let other_session = server.panel_client(&log_in(&phone, "ann@example.com", PASSWORD).await);
    server.advance(TimeDelta::minutes(7));
    let current_session = server.panel_client(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let other_user = server.panel_client(&log_in(&server.anonymous(), "bob@example.com", PASSWORD).await);

    let session_list = current_session.get(SESSIONS_PATH).await.expect(200);
    let sessions = session_list.as_array().unwrap();
    assert_eq!(sessions.len(), 2, "{session_list}");
    let session_summary = |session: &Value| {
        ["browser", "system", "address", "current", "created_at", "last_used_at"].map(|name| session[name].clone())
    };
    assert_eq!(
        session_summary(&sessions[1]),
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
    assert!(!session_list.to_string().contains("csrf"), "{session_list}");

    // The last use is recorded every five minutes.
    other_session.get(PATH).await.expect(200);
    assert_eq!(current_session.get(SESSIONS_PATH).await.expect(200)[1]["last_used_at"], "2026-05-01T09:35:00Z");

    let path = format!("{SESSIONS_PATH}/{}", sessions[1]["id"]);
    other_user.delete(&path).await.expect_problem(404, "not_found");
    assert_eq!(current_session.delete(&path).await.status, 204);
    current_session.delete(&path).await.expect_problem(404, "not_found");
    other_session.get(PATH).await.expect(204);
    other_session.get(SESSIONS_PATH).await.expect_problem(401, "unauthenticated");

    let second_phone_session = server.panel_client(&log_in(&phone, "ann@example.com", PASSWORD).await);
    assert_eq!(current_session.delete(SESSIONS_PATH).await.status, 204);
    second_phone_session.get(PATH).await.expect(204);
    for active_client in [&current_session, &other_user] {
        active_client.get(PATH).await.expect(200);
    }
    let log = server.admin().get("/api/audit-log?action=session.end").await.expect(200);
    let subjects: Vec<_> = log["items"].as_array().unwrap().iter().map(|entry| entry["subject"].clone()).collect();
    assert_eq!(subjects, [json!("user:1"), json!(format!("session:{}", sessions[1]["id"]))]);

    assert_eq!(server.admin().delete("/api/users/1/sessions").await.status, 204);
    current_session.get(PATH).await.expect(204);
    other_user.get(PATH).await.expect(200);
}
