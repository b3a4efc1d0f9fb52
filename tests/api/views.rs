//! `/api/views`: saved filters of leads, private or shared.

use serde_json::{Value, json};

use crate::harness::{Client, Server, body};

const PATH: &str = "/api/views";

fn view(name: &str, shared: bool) -> Value {
    json!({
        "name": name,
        "filter": r#"{"city":"Bonn","limit":"50;0","_order":"-created_at"}"#,
        "dates": "created_at:last-7-days",
        "columns": "number,city",
        "shared": shared
    })
}

async fn names(client: &Client) -> Vec<String> {
    let list = client.get(PATH).await.expect(200);
    list["items"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn view_can_be_saved_changed_shared_and_removed() {
    let server = Server::start().await;
    let (ann, bob) = (server.staff("manager").await, server.staff("viewer").await);
    let answer = ann.post(PATH, body(view(" Bonn ", false))).await;
    let saved = answer.expect(201);
    assert_eq!(answer.header("location").unwrap(), format!("{PATH}/{}", saved["id"]));
    let path = format!("{PATH}/{}", saved["id"]);
    for (member, value) in view("Bonn", false).as_object().unwrap() {
        assert_eq!(&saved[member.as_str()], value);
    }
    assert_eq!(saved["owner"], "manager@example.com");
    assert_eq!(ann.get(&path).await.expect(200), saved);
    assert_eq!((names(&ann).await, names(&bob).await), (vec!["Bonn".to_owned()], vec![]));

    // Another user's view and a missing one get the same response.
    let unseen = async |path: &str| {
        for answer in [bob.put(path, body(view("Mine", false))).await, bob.delete(path).await] {
            answer.refused(404, "not_found");
        }
        bob.get(path).await.expect(404)["detail"].clone()
    };
    assert_eq!(unseen(&path).await, unseen(&format!("{PATH}/987654")).await);

    ann.put(&path, body(view("bonn for all", true))).await.expect(200);
    bob.post(PATH, body(view("Aachen", false))).await.expect(201);
    bob.post(PATH, body(view("Ulm", false))).await.expect(201);
    assert_eq!(names(&bob).await, ["Aachen", "bonn for all", "Ulm"]);
    assert_eq!(bob.get(&path).await.expect(200)["owner"], "manager@example.com");
    let faults = bob.put(&path, body(view("Mine", true))).await.refused(403, "forbidden");
    assert!(faults[0].starts_with("\"\" role_required"), "{faults:?}");
    bob.delete(&path).await.refused(403, "forbidden");
    let faults = bob.post(PATH, body(view("For all", true))).await.refused(403, "forbidden");
    assert!(faults[0].starts_with("\"/shared\" role_required"), "{faults:?}");
    let admin = server.staff("admin").await;
    let changed = admin.put(&path, body(view("Bonn, by an admin", true))).await.expect(200);
    assert_eq!(changed["owner"], "manager@example.com");

    ann.post(PATH, body(view("Ulm", false))).await.expect(201);
    let faults = ann.put(&path, body(view("Ulm", true))).await.refused(409, "conflict");
    assert!(faults[0].starts_with("\"/name\" taken"), "{faults:?}");
    ann.delete(&path).await.expect(204);
    ann.get(&path).await.refused(404, "not_found");
    let log = server.admin().get(&format!("/api/audit-log?subject=view:{}", saved["id"])).await.expect(200);
    let actions: Vec<_> = log["items"].as_array().unwrap().iter().map(|one| one["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["view.delete", "view.update", "view.update", "view.create"]);

    // Only the owner can restore a deleted view under its id.
    for other in [&bob, &admin] {
        other.put(&path, body(view("Mine", false))).await.refused(404, "not_found");
    }
    let back = ann.put(&path, body(view("Bonn", true))).await.expect(200);
    assert_eq!((&back["id"], &back["owner"]), (&saved["id"], &saved["owner"]));
    assert_eq!(bob.get(&path).await.expect(200)["name"], "Bonn");
}

#[tokio::test]
async fn each_fault_has_its_pointer() {
    let server = Server::start().await;
    let client = server.staff("viewer").await;
    let wrong = json!({ "name": "", "filter": r#"{"citi":1}"#, "columns": "x".repeat(4_001), "shared": true });
    let answer = client.post(PATH, body(wrong)).await;
    let faults = answer.refused(400, "invalid_request");
    assert_eq!(
        faults,
        [
            "\"/name\" invalid_name: expected a name of 1 to 100 printable characters, found 0",
            "\"/filter\" unknown_key 1..7: expected a field of leads or campaign leads, found `citi`",
            "\"/columns\" too_long: expected at most 4000 bytes, found 4001",
        ]
    );
    let of_filter = &answer.json()["errors"][1];
    assert_eq!(
        (&of_filter["span"], &of_filter["suggestion"]["detail"]),
        (&json!({ "start": 1, "end": 7 }), &json!("did you mean `city`?"))
    );
    for wrong in [
        json!({ "name": "A" }),
        json!({ "name": "A", "filter": { "city": "Bonn" } }),
        json!({ "name": "A", "filter": "{\"city\":\"Bonn\"}", "owner_id": 1 }),
        json!({ "name": "A", "filter": "" }),
        json!({ "name": "A", "filter": "{}" }),
    ] {
        client.post(PATH, body(wrong)).await.refused(400, "invalid_request");
    }
    // Views belong to users, not to API keys.
    server.admin().get(PATH).await.refused(403, "forbidden");
    server.anonymous().get(PATH).await.refused(401, "unauthenticated");
    let forged = client.with_header("x-csrf-token", "guessed");
    forged.post(PATH, body(view("Mine", false))).await.refused(403, "csrf_failed");
}
