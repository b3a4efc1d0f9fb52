//! S3 server in this process, with one bucket that is a folder.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use leadscribe_server::config::{Config, RecordingsConfig};
use leadscribe_server::recording::owner::OWNER_FILE_NAME;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

const ACCESS_KEY_ID: &str = "leadscribe-tests";
const SECRET_ACCESS_KEY: &str = "aXf0-not-to-be-shown";
const BUCKET_NAME: &str = "calls";
const OBJECT_PREFIX: &str = "centre/one";

/// Bucket with its server. Both are removed when dropped.
pub struct Bucket {
    folder: TempDir,
    address: SocketAddr,
    service: S3Service,
    requests: Arc<Mutex<Vec<String>>>,
    denied_part: Arc<Mutex<Option<&'static str>>>,
    server_task: Option<JoinHandle<()>>,
}

impl Bucket {
    /// Starts a server with an empty bucket.
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(BUCKET_NAME)).unwrap();
        let mut service = S3ServiceBuilder::new(FileSystem::new(folder.path()).unwrap());
        service.set_auth(SimpleAuth::from_single(ACCESS_KEY_ID, SECRET_ACCESS_KEY));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut bucket = Self {
            folder,
            address: listener.local_addr().unwrap(),
            service: service.build(),
            requests: Arc::default(),
            denied_part: Arc::default(),
            server_task: None,
        };
        bucket.serve(listener);
        bucket
    }

    /// Stops the server and closes its connections.
    pub async fn stop(&mut self) {
        let server_task = self.server_task.take().unwrap();
        server_task.abort();
        assert!(server_task.await.unwrap_err().is_cancelled());
    }

    /// Restarts the server at the same address.
    pub async fn restart(&mut self) {
        self.serve(TcpListener::bind(self.address).await.unwrap());
    }

    /// Denies all further requests whose URL contains this string.
    pub fn deny(&self, part: &'static str) {
        *self.denied_part.lock().unwrap() = Some(part);
    }

    /// Returns the requests received: method and URL.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Returns the names of objects under the prefix, except the owner file.
    pub fn object_names(&self) -> Vec<String> {
        let prefix = self.path("");
        let mut names: Vec<_> = files_recursively(&prefix).iter().map(|file| relative_name(file, &prefix)).collect();
        names.retain(|name| name != OWNER_FILE_NAME);
        names.sort_unstable();
        names
    }

    /// Stores an object directly in the bucket, not through the server.
    pub fn store_object(&self, name: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "bytes").unwrap();
    }

    /// Returns the first line of the owner file.
    pub fn owner(&self) -> Option<String> {
        let note = std::fs::read_to_string(self.path(OWNER_FILE_NAME)).ok()?;
        note.lines().next().map(str::to_owned)
    }

    /// Returns the number of files of uploads that were neither completed nor aborted.
    pub fn unfinished_uploads(&self) -> usize {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        entries.filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with(".upload")).count()
    }

    /// Returns the options for a server in this process.
    pub fn options(&self) -> RecordingsConfig {
        RecordingsConfig {
            url: format!("s3://{BUCKET_NAME}/{OBJECT_PREFIX}"),
            endpoint: format!("http://{}", self.address),
            access_key_id: ACCESS_KEY_ID.to_owned(),
            secret_access_key: SECRET_ACCESS_KEY.parse().unwrap(),
            ..Config::default().recordings
        }
    }

    /// Returns the options as environment variables.
    pub fn environment_variables(&self) -> Vec<(&'static str, String)> {
        let RecordingsConfig { url, endpoint, access_key_id, .. } = self.options();
        vec![
            ("LEADSCRIBE_RECORDINGS_URL", url),
            ("LEADSCRIBE_RECORDINGS_ENDPOINT", endpoint),
            ("LEADSCRIBE_RECORDINGS_ACCESS_KEY_ID", access_key_id),
            ("LEADSCRIBE_RECORDINGS_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY.to_owned()),
        ]
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(BUCKET_NAME).join(OBJECT_PREFIX).join(name)
    }

    fn serve(&mut self, listener: TcpListener) {
        let (service, requests, denied_part) = (self.service.clone(), self.requests.clone(), self.denied_part.clone());
        self.server_task = Some(tokio::spawn(async move {
            // Dropped with this task.
            let mut connections = JoinSet::new();
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let (service, requests, denied_part) = (service.clone(), requests.clone(), denied_part.clone());
                connections.spawn(async move {
                    let handler = hyper::service::service_fn(move |request: http::Request<hyper::body::Incoming>| {
                        let request_line = format!("{} {}", request.method(), request.uri());
                        let is_denied = denied_part.lock().unwrap().is_some_and(|part| request_line.contains(part));
                        requests.lock().unwrap().push(request_line);
                        let service = service.clone();
                        async move {
                            Ok::<_, Infallible>(match is_denied {
                                true => access_denied(),
                                false => hyper::service::Service::call(&service, request).await.unwrap(),
                            })
                        }
                    });
                    // A client that disconnects isn't an error.
                    let _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(socket), handler).await;
                });
            }
        }));
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        if let Some(server_task) = &self.server_task {
            server_task.abort();
        }
    }
}

fn access_denied() -> http::Response<s3s::Body> {
    let body = "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>".to_owned();
    http::Response::builder().status(403).body(s3s::Body::from(body)).unwrap()
}

fn files_recursively(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files_recursively(&path) } else { vec![path] }).collect()
}

fn relative_name(file: &Path, folder: &Path) -> String {
    file.strip_prefix(folder).unwrap().to_str().unwrap().to_owned()
}
