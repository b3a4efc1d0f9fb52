//! Users, and clients that are logged in as them.

use leadscribe_engine::api::{NewUserRequest, Role};
use leadscribe_server::service::auth::staff;
use serde_json::json;

use super::{Client, Response, Server, body};

/// Password of every user that a test creates.
pub const PASSWORD: &str = "correct horse battery";

impl Server {
    /// Creates a user and returns the id.
    pub async fn create_user(&self, email: &str, role: &str) -> i64 {
        let request = NewUserRequest {
            email: email.to_owned(),
            password: PASSWORD.to_owned(),
            role: Role::from_name(role).unwrap(),
        };
        staff::create(self.app(), request, &self.origin()).await.unwrap().id.0
    }

    /// Creates a user with this role, logs in as the panel does, and returns the client.
    pub async fn logged_in_client(&self, role: &str) -> Client {
        let email = format!("{role}@example.com");
        self.create_user(&email, role).await;
        self.panel_client(&log_in(&self.anonymous(), &email, PASSWORD).await)
    }

    /// Returns a client with the cookie and the CSRF token from a login response.
    pub fn panel_client(&self, logged_in: &Response) -> Client {
        let csrf_token = logged_in.expect(200)["csrf_token"].as_str().unwrap().to_owned();
        self.anonymous().with_header("cookie", &session_cookie(logged_in)).with_header("x-csrf-token", &csrf_token)
    }
}

pub async fn log_in(client: &Client, email: &str, password: &str) -> Response {
    client.post("/api/session", body(json!({ "email": email, "password": password }))).await
}

/// Returns the cookie of a response as a browser sends it back.
pub fn session_cookie(response: &Response) -> String {
    response.header("set-cookie").expect("a cookie").split(';').next().unwrap().to_owned()
}
