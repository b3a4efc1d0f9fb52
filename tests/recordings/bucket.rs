//! S3 server in this process, with one bucket that is a folder.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use leadscribe_server::config::{Config, RecordingsConfig};
use leadscribe_server::recording::owner::NOTE;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

const KEY_ID: &str = "leadscribe-tests";
const SECRET: &str = "aXf0-not-to-be-shown";
const NAME: &str = "calls";
const PREFIX: &str = "centre/one";

/// Bucket with its server. Both are removed when dropped.
pub struct Bucket {
    folder: TempDir,
    address: SocketAddr,
    service: S3Service,
    seen: Arc<Mutex<Vec<String>>>,
    refused: Arc<Mutex<Option<&'static str>>>,
    serving: Option<JoinHandle<()>>,
}

impl Bucket {
    /// Starts a server with an empty bucket.
    pub async fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(NAME)).unwrap();
        let mut service = S3ServiceBuilder::new(FileSystem::new(folder.path()).unwrap());
        service.set_auth(SimpleAuth::from_single(KEY_ID, SECRET));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut bucket = Self {
            folder,
            address: listener.local_addr().unwrap(),
            service: service.build(),
            seen: Arc::default(),
            refused: Arc::default(),
            serving: None,
        };
        bucket.serve(listener);
        bucket
    }

    /// Stops the server and closes its connections.
    pub async fn go_down(&mut self) {
        let serving = self.serving.take().unwrap();
        serving.abort();
        assert!(serving.await.unwrap_err().is_cancelled());
    }

    /// Restarts the server at the same address.
    pub async fn come_back(&mut self) {
        self.serve(TcpListener::bind(self.address).await.unwrap());
    }

    /// Denies all further requests whose URL contains this string.
    pub fn deny(&self, part: &'static str) {
        *self.refused.lock().unwrap() = Some(part);
    }

    /// Returns the requests received: method and URL.
    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    /// Returns the names of objects under the prefix, except the ownership note.
    pub fn names(&self) -> Vec<String> {
        let prefix = self.path("");
        let mut names: Vec<_> = files(&prefix).iter().map(|file| name(file, &prefix)).collect();
        names.retain(|name| name != NOTE);
        names.sort_unstable();
        names
    }

    /// Stores an object without the program.
    pub fn keep(&self, name: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "bytes").unwrap();
    }

    /// Returns the first line of the ownership note.
    pub fn owner(&self) -> Option<String> {
        let note = std::fs::read_to_string(self.path(NOTE)).ok()?;
        note.lines().next().map(str::to_owned)
    }

    /// Returns the number of files of uploads that were neither completed nor aborted.
    pub fn unfinished(&self) -> usize {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        entries.filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with(".upload")).count()
    }

    /// Returns the options for a server in this process.
    pub fn options(&self) -> RecordingsConfig {
        RecordingsConfig {
            url: format!("s3://{NAME}/{PREFIX}"),
            endpoint: format!("http://{}", self.address),
            access_key_id: KEY_ID.to_owned(),
            secret_access_key: SECRET.parse().unwrap(),
            ..Config::default().recordings
        }
    }

    /// Returns the options as environment variables.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let RecordingsConfig { url, endpoint, access_key_id, .. } = self.options();
        vec![
            ("LEADSCRIBE_RECORDINGS_URL", url),
            ("LEADSCRIBE_RECORDINGS_ENDPOINT", endpoint),
            ("LEADSCRIBE_RECORDINGS_ACCESS_KEY_ID", access_key_id),
            ("LEADSCRIBE_RECORDINGS_SECRET_ACCESS_KEY", SECRET.to_owned()),
        ]
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(NAME).join(PREFIX).join(name)
    }

    fn serve(&mut self, listener: TcpListener) {
        let (service, seen, refused) = (self.service.clone(), self.seen.clone(), self.refused.clone());
        self.serving = Some(tokio::spawn(async move {
            // Dropped with this task.
            let mut connections = JoinSet::new();
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let (service, seen, refused) = (service.clone(), seen.clone(), refused.clone());
                connections.spawn(async move {
                    let answer = hyper::service::service_fn(move |request: http::Request<hyper::body::Incoming>| {
                        let wanted = format!("{} {}", request.method(), request.uri());
                        let is_refused = refused.lock().unwrap().is_some_and(|part| wanted.contains(part));
                        seen.lock().unwrap().push(wanted);
                        let service = service.clone();
                        async move {
                            Ok::<_, Infallible>(match is_refused {
                                true => denied(),
                                false => hyper::service::Service::call(&service, request).await.unwrap(),
                            })
                        }
                    });
                    // A client that disconnects isn't an error.
                    let _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(socket), answer).await;
                });
            }
        }));
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        if let Some(serving) = &self.serving {
            serving.abort();
        }
    }
}

fn denied() -> http::Response<s3s::Body> {
    let body = "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>".to_owned();
    http::Response::builder().status(403).body(s3s::Body::from(body)).unwrap()
}

/// Returns all files in a folder, recursively.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn name(file: &Path, folder: &Path) -> String {
    file.strip_prefix(folder).unwrap().to_str().unwrap().to_owned()
}
