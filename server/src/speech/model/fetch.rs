//! Fetches a model from its publisher, a mirror or a folder.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use tokio::io::AsyncReadExt;

use super::catalog::{Model, Origin};
use super::checksum::{FileState, to_hex, verify};

/// Connect timeout, short so that a machine without internet access reports it soon.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// Size of the chunks in which a local file is copied.
const CHUNK_BYTES: usize = 1 << 20;

/// Result of fetching a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchOutcome {
    /// The model was already present.
    AlreadyPresent(Origin),
    /// The model was fetched.
    Fetched(Origin),
}

/// Reason why a model couldn't be fetched. An existing file is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The source doesn't have the model or can't be reached.
    #[error(
        "can't download {from}: {detail}; set --model-source to a mirror or folder with this file, or --model to the \
         path of a ggml file"
    )]
    Source {
        /// URL or path of the file.
        from: String,
        /// Cause.
        detail: String,
    },
    /// The received file is not the model.
    #[error("{from} is not the model `{name}`: expected {expected}, found {found}; the download was discarded")]
    Contents {
        /// URL or path of the file.
        from: String,
        /// Name of the model.
        name: &'static str,
        /// Expected size or checksum.
        expected: String,
        /// Actual size or checksum.
        found: String,
    },
    /// The models folder can't be written.
    #[error("can't store the model, which takes {} MB, in {}: {source}", bytes.div_ceil(1_000_000), folder.display())]
    Folder {
        folder: PathBuf,
        /// Size of the model.
        bytes: u64,
        /// Cause.
        source: io::Error,
    },
}

/// Fetches `model` from `source`, a URL or a folder, into `folder`, which is created if necessary. Calls `progress` with the
/// number of received bytes. Does nothing if the model is present.
///
/// The file gets its final name only after its checksum is verified.
///
/// # Errors
/// See [`FetchError`].
pub async fn fetch(
    model: &Model,
    source: &str,
    folder: &Path,
    mut progress: impl FnMut(u64),
) -> Result<FetchOutcome, FetchError> {
    let folder_error = |source| FetchError::Folder { folder: folder.to_path_buf(), bytes: model.bytes, source };
    if let FileState::Valid(origin) = verify(model, folder).map_err(folder_error)? {
        return Ok(FetchOutcome::AlreadyPresent(origin));
    }
    let model_source = ModelSource::new(model, source);
    let mut body = model_source.open().await?;
    std::fs::create_dir_all(folder).map_err(folder_error)?;
    let mut file = NamedTempFile::with_prefix_in(".fetching-", folder).map_err(folder_error)?;

    let contents_error = |expected: String, found: String| FetchError::Contents {
        from: model_source.to_string(),
        name: model.name,
        expected,
        found,
    };
    let mut digest = Sha256::new();
    let mut bytes = 0;
    while let Some(chunk) = body.next().await.map_err(|detail| model_source.error(detail))? {
        bytes += chunk.len() as u64;
        if bytes > model.bytes {
            return Err(contents_error(format!("{} bytes", model.bytes), "more".to_owned()));
        }
        digest.update(&chunk);
        file.write_all(&chunk).map_err(folder_error)?;
        progress(bytes);
    }
    if bytes != model.bytes {
        return Err(contents_error(format!("{} bytes", model.bytes), bytes.to_string()));
    }
    let sha256 = to_hex(digest);
    let Some(build) = model.find_build(&sha256) else {
        let accepted: Vec<_> = model.builds.iter().map(|build| build.sha256).collect();
        return Err(contents_error(format!("the SHA-256 {}", accepted.join(" or ")), sha256));
    };
    file.as_file().sync_all().map_err(folder_error)?;
    make_readable(file.as_file()).map_err(folder_error)?;
    file.persist(folder.join(model.file)).map_err(|error| folder_error(error.error))?;
    Ok(FetchOutcome::Fetched(build.origin))
}

/// Makes the file readable for all users: a temporary file is readable only for its owner, but the server may run as another
/// user.
fn make_readable(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

/// The file of a model at a source.
enum ModelSource {
    Url(String),
    File(PathBuf),
}

/// Content of the file, read in chunks.
enum Body {
    Response(reqwest::Response),
    File(tokio::fs::File),
}

impl ModelSource {
    fn new(model: &Model, source: &str) -> Self {
        if source.starts_with("https://") || source.starts_with("http://") {
            Self::Url(format!("{}/{}", source.trim_end_matches('/'), model.file))
        } else {
            Self::File(Path::new(source).join(model.file))
        }
    }

    fn error(&self, detail: impl std::fmt::Display) -> FetchError {
        FetchError::Source { from: self.to_string(), detail: detail.to_string() }
    }

    async fn open(&self) -> Result<Body, FetchError> {
        match self {
            Self::File(path) => Ok(Body::File(tokio::fs::File::open(path).await.map_err(|error| self.error(error))?)),
            Self::Url(url) => {
                let client =
                    reqwest::Client::builder().connect_timeout(CONNECT_TIMEOUT).read_timeout(READ_TIMEOUT).build();
                let response = client.map_err(|error| self.error(root_cause(error)))?.get(url).send().await;
                let response = response.map_err(|error| self.error(root_cause(error)))?;
                if !response.status().is_success() {
                    return Err(self.error(format!("the server responded with {}", response.status())));
                }
                Ok(Body::Response(response))
            }
        }
    }
}

impl std::fmt::Display for ModelSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Url(url) => f.write_str(url),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

impl Body {
    /// Returns the next chunk, or a description of the error.
    async fn next(&mut self) -> Result<Option<Bytes>, String> {
        match self {
            Self::Response(response) => response.chunk().await.map_err(root_cause),
            Self::File(file) => {
                let mut chunk = vec![0; CHUNK_BYTES];
                let read_bytes = file.read(&mut chunk).await.map_err(|error| error.to_string())?;
                chunk.truncate(read_bytes);
                Ok((read_bytes > 0).then(|| chunk.into()))
            }
        }
    }
}

/// Describes the innermost cause, because the outer errors only say that a request failed.
fn root_cause(error: reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = &error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    if error.is_timeout() { "no response in time".to_owned() } else { cause.to_string() }
}

#[cfg(test)]
mod tests;
