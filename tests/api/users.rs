//! `/api/users`: roles, the last admin, and validation of email addresses and passwords.

use serde_json::{Value, json};

use crate::harness::{PASSWORD, Server, body, log_in};

const PATH: &str = "/api/users";

#[tokio::test]
async fn users_can_be_added_listed_changed_and_removed() {
    let server = Server::start().await;
    let client = server.logged_in_client("admin").await;
    let request = json!({ "email": " Zoe@Example.com ", "password": PASSWORD, "role": "viewer" });
    let response = client.post(PATH, body(request)).await;
    let created = response.expect(201);
    let path = format!("{PATH}/{}", created["id"]);
    assert_eq!(response.header("location"), Some(path.as_str()));
    assert_eq!(
        (&created["email"], &created["role"], &created["last_login_at"]),
        (&json!("zoe@example.com"), &json!("viewer"), &Value::Null)
    );

    let changed = client.patch(&path, r#"{"role":"manager"}"#).await.expect(200);
    assert_eq!(changed["role"], "manager");
    log_in(&server.anonymous(), "zoe@example.com", PASSWORD).await.expect(200);
    let list = client.get(PATH).await.expect(200);
    let emails: Vec<_> = list["items"].as_array().unwrap().iter().map(|user| user["email"].as_str().unwrap()).collect();
    assert_eq!(emails, ["admin@example.com", "zoe@example.com"]);
    assert!(list["items"][1]["last_login_at"].is_string());
    assert!(!list.to_string().contains("argon2"), "the response contains no hash");
    let second = client.get(&format!("{PATH}?limit=1;1")).await.expect(200);
    assert_eq!((&second["items"], &second["total"]), (&json!([list["items"][1]]), &json!(2)));
    client.get(&format!("{PATH}?limit=1001")).await.expect_problem(400, "invalid_parameter");

    client.delete(&path).await.expect(204);
    log_in(&server.anonymous(), "zoe@example.com", PASSWORD).await.expect_problem(401, "invalid_login");
}

#[tokio::test]
async fn staff_can_list_assignable_users() {
    let server = Server::start().await;
    let (admin, viewer) = (server.logged_in_client("admin").await, server.logged_in_client("viewer").await);
    let list = admin.get(PATH).await.expect(200);
    let id = list["items"].as_array().unwrap().iter().find(|user| user["role"] == "admin").unwrap()["id"].clone();
    let active_user = json!({ "id": id, "email": "admin@example.com", "active": true });
    let assignees = viewer.get("/api/assignees").await.expect(200);
    assert!(assignees["items"].as_array().unwrap().contains(&active_user), "{assignees}");
    assert_eq!(assignees["items"].as_array().unwrap().len(), 2);

    let zoe = json!({ "email": "zoe@example.com", "password": PASSWORD, "role": "viewer" });
    let zoe = admin.create(PATH, zoe).await;
    admin.patch(&format!("{PATH}/{zoe}"), r#"{"active":false}"#).await.expect(200);
    let assignees = viewer.get("/api/assignees").await.expect(200);
    let inactive_user = json!({ "id": zoe, "email": "zoe@example.com", "active": false });
    assert!(assignees["items"].as_array().unwrap().contains(&inactive_user), "{assignees}");
}

#[tokio::test]
async fn email_addresses_are_unique() {
    let (_server, client) = Server::start_with_admin().await;
    let request = |email: &str| body(json!({ "email": email, "password": PASSWORD, "role": "viewer" }));
    client.post(PATH, request("ann@example.com")).await.expect(201);
    let diagnostics = client.post(PATH, request("ANN@example.com")).await.expect_problem(409, "conflict");
    assert!(diagnostics[0].starts_with("\"/email\" "), "{diagnostics:?}");
}

#[tokio::test]
async fn reports_all_errors_of_a_new_user() {
    let (_server, client) = Server::start_with_admin().await;
    for (email, password) in [("ann", "short"), ("a b@example.com", "elevenchars"), ("@", &"x".repeat(257))] {
        let request = json!({ "email": email, "password": password, "role": "viewer" });
        let response = client.post(PATH, body(request)).await;
        let diagnostics = response.expect_problem(400, "invalid_request");
        let locations: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.split(' ').next().unwrap()).collect();
        assert_eq!(locations, ["\"/email\"", "\"/password\""], "{diagnostics:?}");
        assert!(!response.text().contains(password), "the response contains the password: {}", response.text());
    }
    let long_password: String =
        "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. ".chars().cycle().take(256).collect();
    for password in ["twelve chars".to_owned(), long_password] {
        let email = format!("{}@example.com", password.len());
        client.post(PATH, body(json!({ "email": email, "password": password, "role": "viewer" }))).await.expect(201);
    }
    let invalid_request = json!({ "password": 7, "role": "root", "rank": 1 });
    let diagnostics = client.post(PATH, body(invalid_request)).await.expect_problem(400, "invalid_request");
    let actual: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.split(':').next().unwrap()).collect();
    let expected =
        ["\"/rank\" unknown_key", "\"/password\" invalid_value", "\"/role\" not_permitted", "\"/email\" required"];
    assert_eq!(actual, expected, "{diagnostics:?}");
}

#[tokio::test]
async fn common_passwords_are_rejected_everywhere() {
    let (server, client) = Server::start_with_admin().await;
    let expected = "\"/password\" common_password: the password is too easy to guess";
    for password in ["password1234", "Ann@Example.com", "leadscribe2026"] {
        let request = json!({ "email": "ann@example.com", "password": password, "role": "viewer" });
        assert_eq!(
            client.post(PATH, body(request)).await.expect_problem(400, "invalid_request"),
            [expected],
            "{password}"
        );
    }
    let ann = server.create_user("ann@example.com", "viewer").await;
    let change = body(json!({ "password": "ann@example.com1" }));
    assert_eq!(client.patch(&format!("{PATH}/{ann}"), change).await.expect_problem(400, "invalid_request"), [expected]);
    let session = server.panel_client(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let change = body(json!({ "current_password": PASSWORD, "password": "qwertyuiop12" }));
    assert_eq!(session.put("/api/session/password", change).await.expect_problem(400, "invalid_request"), [expected]);
}

#[tokio::test]
async fn invalid_members_are_reported_without_their_values() {
    let (_server, client) = Server::start_with_admin().await;
    let diagnostics_for = async |body: &str| client.post(PATH, body).await.expect_problem(400, "invalid_request");
    let role = diagnostics_for(r#"{"email":"a@example.com","password":"long enough it is","role":"boss"}"#).await;
    assert_eq!(role, ["\"/role\" not_permitted: expected admin, manager or viewer, found \"boss\""]);
    let password = diagnostics_for(r#"{"email":"a@example.com","password":123456,"role":"viewer"}"#).await;
    assert_eq!(password, ["\"/password\" invalid_value: expected a string, found a number"]);
    let duplicate = diagnostics_for(r#"{"email":"a@example.com","email":"b@example.com","role":"viewer"}"#).await;
    assert!(duplicate[0].starts_with("\"/email\" duplicate_key: "), "{duplicate:?}");
}

#[tokio::test]
async fn changes_and_removal_end_sessions() {
    let server = Server::start().await;
    let id = server.create_user("ann@example.com", "viewer").await;
    let path = format!("{PATH}/{id}");
    let session = server.panel_client(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    server.admin().patch(&path, r#"{"role":"manager"}"#).await.expect(200);
    session.get("/api/session").await.expect(204);
    let session = server.panel_client(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    session.post("/api/campaigns", r#"{"name":"Solar"}"#).await.expect(201);
    server.admin().patch(&path, r#"{"password":"another good one"}"#).await.expect(200);
    session.get("/api/session").await.expect(204);
    log_in(&server.anonymous(), "ann@example.com", PASSWORD).await.expect_problem(401, "invalid_login");
    let session = server.panel_client(&log_in(&server.anonymous(), "ann@example.com", "another good one").await);
    server.admin().delete(&path).await.expect(204);
    session.get("/api/session").await.expect(204);
    let diagnostics =
        server.admin().patch("/api/users/1", r#"{"password":"short"}"#).await.expect_problem(400, "invalid_request");
    assert_eq!(diagnostics, ["\"/password\" invalid_password: the password must have 12 to 256 characters, but has 5"]);
}

#[tokio::test]
async fn deactivated_user_is_locked_out_until_activated() {
    let server = Server::start().await;
    let id = server.create_user("ann@example.com", "admin").await;
    let path = format!("{PATH}/{id}");
    let diagnostics = server.admin().patch(&path, r#"{"active":false}"#).await.expect_problem(409, "conflict");
    assert!(diagnostics[0].starts_with("\"/active\" last_admin"), "{diagnostics:?}");
    server.admin().delete(&path).await.expect_problem(409, "conflict");
    server.create_user("bob@example.com", "admin").await;
    let session = server.panel_client(&log_in(&server.anonymous(), "ann@example.com", PASSWORD).await);
    let changed = server.admin().patch(&path, r#"{"active":false}"#).await.expect(200);
    assert!(changed["deactivated_at"].is_string(), "{changed}");
    session.get("/api/session").await.expect(204);
    // The response doesn't reveal that the password is right.
    log_in(&server.anonymous(), "ann@example.com", PASSWORD).await.expect_problem(401, "invalid_login");
    let changed = server.admin().patch(&path, r#"{"active":true}"#).await.expect(200);
    assert_eq!((&changed["deactivated_at"], &changed["role"]), (&Value::Null, &json!("admin")));
    log_in(&server.anonymous(), "ann@example.com", PASSWORD).await.expect(200);
}
