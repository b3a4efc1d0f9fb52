//! `leadscribe api-key create`.

use leadscribe_engine::api::{NewApiKeyRequest, Scope, Timestamp};

use super::{bootstrap, name_parser, user};
use crate::config::Flags;
use crate::service::auth::credentials;

/// Command-line arguments.
#[derive(Debug, clap::Subcommand)]
pub enum ApiKey {
    /// Create an API key; its secret is printed once, on a separate line
    Create {
        /// Purpose of the key
        #[arg(long)]
        name: String,
        /// Permission of the key; can be repeated
        #[arg(long = "scope", required = true, num_args = 1.., value_name = "SCOPE")]
        #[arg(value_parser = name_parser(Scope::names(), Scope::from_name))]
        scopes: Vec<Scope>,
        /// Expiry time: `YYYY-MM-DD hh:mm:ss` in UTC, or RFC 3339 [default: never]
        #[arg(long, value_name = "TIME", value_parser = parse_time)]
        expires: Option<Timestamp>,
        #[command(flatten)]
        flags: Box<Flags>,
    },
}

impl ApiKey {
    /// Creates a key and prints its secret.
    pub async fn run(self) -> anyhow::Result<()> {
        let Self::Create { name, scopes, expires, flags } = self;
        let app = bootstrap::open(&flags).await?;
        let request = NewApiKeyRequest { name, scopes, expires_at: expires };
        let created = credentials::create_api_key(&app, request, &bootstrap::audit_context())
            .await
            .map_err(user::describe_error)?;
        eprintln!("created the API key {:?}; its secret is shown only once:", created.api_key.name);
        println!("{}", created.secret);
        Ok(())
    }
}

fn parse_time(text: &str) -> Result<Timestamp, String> {
    leadscribe_engine::time::parse(text).map_err(|error| error.to_string())
}
