//! Members of staff, and clients that are logged in as them.

use leadscribe_engine::api::{NewUserRequest, Role};
use leadscribe_server::service::staff;
use serde_json::json;

use super::{Answer, Client, Server, body};

/// The password of every member of staff that a test makes.
pub const PASSWORD: &str = "correct horse battery";

impl Server {
    /// Adds a member of staff, and answers their id.
    pub async fn user(&self, email: &str, role: &str) -> i64 {
        let request = NewUserRequest {
            email: email.to_owned(),
            password: PASSWORD.to_owned(),
            role: Role::from_name(role).unwrap(),
        };
        staff::create(self.app(), request, &self.origin()).await.unwrap().id.0
    }

    /// A client in a new session of a new member of staff, as the panel is.
    pub async fn staff(&self, role: &str) -> Client {
        let email = format!("{role}@example.com");
        self.user(&email, role).await;
        self.panel(&log_in(&self.anonymous(), &email, PASSWORD).await)
    }

    /// A client with the cookie and the token that an answer to a log-in gave.
    pub fn panel(&self, logged_in: &Answer) -> Client {
        let csrf_token = logged_in.expect(200)["csrf_token"].as_str().unwrap().to_owned();
        self.anonymous().with_header("cookie", &cookie(logged_in)).with_header("x-csrf-token", &csrf_token)
    }
}

/// The answer to a log-in.
pub async fn log_in(client: &Client, email: &str, password: &str) -> Answer {
    client.post("/api/session", body(json!({ "email": email, "password": password }))).await
}

/// The cookie of an answer, as a browser sends it back.
pub fn cookie(answer: &Answer) -> String {
    answer.header("set-cookie").expect("a cookie").split(';').next().unwrap().to_owned()
}
