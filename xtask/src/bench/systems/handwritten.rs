//! Hand-written search services in Python and JavaScript, on PostgreSQL.

use std::net::SocketAddr;
use std::process::Command;

use anyhow::Result;

use super::http_system::{HttpSystem, START_TIMEOUT, accepts_connections, search_request};
use super::response::ResponseLayout;
use super::{Stores, System, packages};
use crate::bench::process::{self, Process};
use crate::bench::workload::Dialect;

/// FastAPI, asyncpg and orjson, two workers.
pub fn fastapi(stores: &mut Stores) -> Result<Vec<Box<dyn System>>> {
    let bin_dir = packages::install_python(stores.project(), "fastapi")?;
    let address = process::free_address()?;
    let mut command = process::command(bin_dir.join("uvicorn"));
    command.current_dir(packages::source_dir(stores.project(), "fastapi"));
    // Don't write bytecode caches next to the sources.
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.args(["app:app", "--workers", "2", "--no-access-log", "--log-level", "warning"]);
    command.args(["--port", &address.port().to_string()]);
    start(stores, "fastapi", address, &mut command)
}

/// fastify and pg, two processes.
pub fn fastify(stores: &mut Stores) -> Result<Vec<Box<dyn System>>> {
    let folder = packages::install_node(stores.project(), "fastify", &[])?;
    let address = process::free_address()?;
    let mut command = process::command("node");
    command.arg(packages::source_dir(stores.project(), "fastify").join("app.js"));
    command.env("NODE_PATH", folder.join("node_modules")).env("PORT", address.port().to_string());
    start(stores, "fastify", address, &mut command)
}

fn start(stores: &mut Stores, name: &str, address: SocketAddr, command: &mut Command) -> Result<Vec<Box<dyn System>>> {
    let url = stores.handwritten_database_url()?;
    let mut process = Process::start(command.env("DSN", url), &stores.log_file(name))?;
    process.wait_until(START_TIMEOUT, || accepts_connections(address))?;
    let request = search_request(Dialect::Peers, String::new());
    Ok(vec![Box::new(HttpSystem::new(name, Some(process), address, Some(ResponseLayout::PEERS), request))])
}
