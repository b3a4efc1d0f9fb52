//! `leadscribe user add`.

use std::io::{BufRead, IsTerminal};

use anyhow::{Context, ensure};
use leadscribe_engine::api::{NewUserRequest, Role};

use super::{bootstrap, name_parser};
use crate::config::Flags;
use crate::service::auth::staff;
use crate::service::error::ServiceError;

/// Command-line arguments.
#[derive(Debug, clap::Subcommand)]
pub enum User {
    /// Add a member of staff; the password is read from standard input
    Add {
        /// Email address, used to log in
        email: String,
        /// Role, which determines the permissions
        #[arg(long, value_parser = name_parser(Role::names(), Role::from_name))]
        role: Role,
        #[command(flatten)]
        flags: Box<Flags>,
    },
}

impl User {
    /// Adds a member of staff.
    pub async fn run(self) -> anyhow::Result<()> {
        let Self::Add { email, role, flags } = self;
        let app = bootstrap::open(&flags).await?;
        let password = read_password()?;
        let request = NewUserRequest { email, password, role };
        let user = staff::create(&app, request, &bootstrap::audit_context()).await.map_err(describe_error)?;
        eprintln!("added {} as {}", user.email, user.role);
        Ok(())
    }
}

fn read_password() -> anyhow::Result<String> {
    let mut input = std::io::stdin().lock();
    if input.is_terminal() {
        eprintln!("Password (12 to 256 characters; the input is visible):");
    }
    let mut line = String::new();
    input.read_line(&mut line).context("can't read the password from standard input")?;
    let password = line.trim_end_matches(['\n', '\r']).to_owned();
    ensure!(!password.is_empty(), "expected the password on standard input");
    Ok(password)
}

/// Joins the errors of a request into one message.
pub(super) fn describe_error(error: ServiceError) -> anyhow::Error {
    match error {
        ServiceError::InvalidRequest(diagnostics) => {
            let lines: Vec<_> = diagnostics
                .into_iter()
                .map(|diagnostic| match diagnostic.suggestion {
                    Some(suggestion) => format!("{}: {suggestion}", diagnostic.message),
                    None => diagnostic.message.to_string(),
                })
                .collect();
            anyhow::anyhow!(lines.join("; "))
        }
        error => error.into(),
    }
}
