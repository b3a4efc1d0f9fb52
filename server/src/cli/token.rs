//! `leadscribe token create`.

use leadscribe_engine::api::NewSpeechTokenRequest;

use super::{bootstrap, user};
use crate::config::Flags;
use crate::service::auth::credentials;

/// Command-line arguments.
#[derive(Debug, clap::Subcommand)]
pub enum Token {
    /// Create a speech token; its secret is printed once, on a separate line
    Create {
        /// Holder of the token
        #[arg(long)]
        name: String,
        #[command(flatten)]
        flags: Box<Flags>,
    },
}

impl Token {
    /// Creates a token and prints its secret.
    pub async fn run(self) -> anyhow::Result<()> {
        let Self::Create { name, flags } = self;
        let app = bootstrap::open(&flags).await?;
        let request = NewSpeechTokenRequest { name };
        let created = credentials::create_speech_token(&app, request, &bootstrap::audit_context())
            .await
            .map_err(user::describe_error)?;
        eprintln!("created the speech token {:?}; its secret is shown only once:", created.token.name);
        println!("{}", created.secret);
        Ok(())
    }
}
