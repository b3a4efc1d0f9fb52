//! `leadscribe token create`.

use leadscribe_engine::api::NewSpeechTokenRequest;

use super::{parts, user};
use crate::config::Flags;
use crate::service::credentials;

/// The arguments.
#[derive(Debug, clap::Subcommand)]
pub enum Token {
    /// Issue a speech recognition token; its secret is printed once, alone on its line
    Create {
        /// Whom it is issued to
        #[arg(long)]
        name: String,
        #[command(flatten)]
        flags: Box<Flags>,
    },
}

impl Token {
    /// Issues a token and prints its secret.
    pub async fn run(self) -> anyhow::Result<()> {
        let Self::Create { name, flags } = self;
        let app = parts::open(&flags).await?;
        let request = NewSpeechTokenRequest { name };
        let created =
            credentials::create_speech_token(&app, request, &parts::origin()).await.map_err(user::in_words)?;
        eprintln!("issued the speech recognition token {:?}; its secret is shown this once:", created.token.name);
        println!("{}", created.secret);
        Ok(())
    }
}
