//! `/api/views`: saved filters of leads, private or shared.

use serde_json::{Value, json};

use crate::harness::{Client, Server, body};

const PATH: &str = "/api/views";

fn view_body(name: &str, shared: bool) -> Value {
    json!({
        "name": name,
        "filter": r#"{"city":"Bonn","limit":"50;0","_order":"-created_at"}"#,
        "dates": "created_at:last-7-days",
        "columns": "number,city",
        "shared": shared
    })
}

async fn view_names(client: &Client) -> Vec<String> {
    let list = client.get(PATH).await.expect(200);
    list["items"].as_array().unwrap().iter().map(|view| view["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn view_can_be_saved_changed_shared_and_removed() {
    let server = Server::start().await;
    let (ann, bob) = (server.logged_in_client("manager").await, server.logged_in_client("viewer").await);
    let response = ann.post(PATH, body(view_body(" Bonn ", false))).await;
    let saved = response.expect(201);
    assert_eq!(response.header("location").unwrap(), format!("{PATH}/{}", saved["id"]));
    let path = format!("{PATH}/{}", saved["id"]);
    for (member, value) in view_body("Bonn", false).as_object().unwrap() {
        assert_eq!(&saved[member.as_str()], value);
    }
    assert_eq!(saved["owner"], "manager@example.com");
    assert_eq!(ann.get(&path).await.expect(200), saved);
    assert_eq!((view_names(&ann).await, view_names(&bob).await), (vec!["Bonn".to_owned()], vec![]));

    // Another user's view and a missing one get the same response.
    let missing_detail = async |path: &str| {
        for response in [bob.put(path, body(view_body("Mine", false))).await, bob.delete(path).await] {
            response.expect_problem(404, "not_found");
        }
        bob.get(path).await.expect(404)["detail"].clone()
    };
    assert_eq!(missing_detail(&path).await, missing_detail(&format!("{PATH}/987654")).await);

    ann.put(&path, body(view_body("bonn for all", true))).await.expect(200);
    bob.post(PATH, body(view_body("Aachen", false))).await.expect(201);
    bob.post(PATH, body(view_body("Ulm", false))).await.expect(201);
    assert_eq!(view_names(&bob).await, ["Aachen", "bonn for all", "Ulm"]);
    assert_eq!(bob.get(&path).await.expect(200)["owner"], "manager@example.com");
    let diagnostics = bob.put(&path, body(view_body("Mine", true))).await.expect_problem(403, "forbidden");
    assert!(diagnostics[0].starts_with("\"\" role_required"), "{diagnostics:?}");
    bob.delete(&path).await.expect_problem(403, "forbidden");
    let diagnostics = bob.post(PATH, body(view_body("For all", true))).await.expect_problem(403, "forbidden");
    assert!(diagnostics[0].starts_with("\"/shared\" role_required"), "{diagnostics:?}");
    let admin = server.logged_in_client("admin").await;
    let changed = admin.put(&path, body(view_body("Bonn, by an admin", true))).await.expect(200);
    assert_eq!(changed["owner"], "manager@example.com");

    ann.post(PATH, body(view_body("Ulm", false))).await.expect(201);
    let diagnostics = ann.put(&path, body(view_body("Ulm", true))).await.expect_problem(409, "conflict");
    assert!(diagnostics[0].starts_with("\"/name\" taken"), "{diagnostics:?}");
    ann.delete(&path).await.expect(204);
    ann.get(&path).await.expect_problem(404, "not_found");
    let log = server.admin().get(&format!("/api/audit-log?subject=view:{}", saved["id"])).await.expect(200);
    let actions: Vec<_> =
        log["items"].as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["view.delete", "view.update", "view.update", "view.create"]);

    // Only the owner can restore a deleted view under its id.
    for other in [&bob, &admin] {
        other.put(&path, body(view_body("Mine", false))).await.expect_problem(404, "not_found");
    }
    let restored = ann.put(&path, body(view_body("Bonn", true))).await.expect(200);
    assert_eq!((&restored["id"], &restored["owner"]), (&saved["id"], &saved["owner"]));
    assert_eq!(bob.get(&path).await.expect(200)["name"], "Bonn");
}

#[tokio::test]
async fn each_error_has_its_pointer() {
    let server = Server::start().await;
    let client = server.logged_in_client("viewer").await;
    let invalid_view = json!({ "name": "", "filter": r#"{"citi":1}"#, "columns": "x".repeat(4_001), "shared": true });
    let response = client.post(PATH, body(invalid_view)).await;
    let diagnostics = response.expect_problem(400, "invalid_request");
    assert_eq!(
        diagnostics,
        [
            "\"/name\" invalid_name: must not be blank",
            "\"/filter\" unknown_key 1..7: expected a field of leads or campaign leads, found `citi`",
            "\"/columns\" too_long: expected at most 4000 bytes, found 4001",
        ]
    );
    let filter_diagnostic = &response.json()["errors"][1];
    assert_eq!(
        (&filter_diagnostic["span"], &filter_diagnostic["suggestion"]["detail"]),
        (&json!({ "start": 1, "end": 7 }), &json!("did you mean `city`?"))
    );
    for invalid_view in [
        json!({ "name": "A" }),
        json!({ "name": "A", "filter": { "city": "Bonn" } }),
        json!({ "name": "A", "filter": "{\"city\":\"Bonn\"}", "owner_id": 1 }),
        json!({ "name": "A", "filter": "" }),
        json!({ "name": "A", "filter": "{}" }),
    ] {
        client.post(PATH, body(invalid_view)).await.expect_problem(400, "invalid_request");
    }
}
