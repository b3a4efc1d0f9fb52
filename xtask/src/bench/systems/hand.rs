//! Hand-written searches on PostgreSQL, in Python and in JavaScript.

use std::net::SocketAddr;
use std::process::Command;

use anyhow::Result;

use super::given::Layout;
use super::over_http::{OverHttp, START_LIMIT, listens, look_up};
use super::{Stores, System, packages};
use crate::bench::process::{self, Process};
use crate::bench::workload::Dialect;

/// FastAPI, asyncpg and orjson, two workers.
pub fn fastapi(stores: &mut Stores) -> Result<Vec<Box<dyn System>>> {
    let programs = packages::python(stores.project(), "fastapi")?;
    let address = process::free_address()?;
    let mut command = process::command(programs.join("uvicorn"));
    command.current_dir(packages::source(stores.project(), "fastapi"));
    // Avoids cache files among the sources.
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.args(["app:app", "--workers", "2", "--no-access-log", "--log-level", "warning"]);
    command.args(["--port", &address.port().to_string()]);
    start(stores, "fastapi", address, &mut command)
}

/// fastify and pg, two processes.
pub fn fastify(stores: &mut Stores) -> Result<Vec<Box<dyn System>>> {
    let folder = packages::node(stores.project(), "fastify", &[])?;
    let address = process::free_address()?;
    let mut command = process::command("node");
    command.arg(packages::source(stores.project(), "fastify").join("app.js"));
    command.env("NODE_PATH", folder.join("node_modules")).env("PORT", address.port().to_string());
    start(stores, "fastify", address, &mut command)
}

fn start(stores: &mut Stores, name: &str, address: SocketAddr, command: &mut Command) -> Result<Vec<Box<dyn System>>> {
    let url = stores.postgres_by_hand()?;
    let mut process = Process::start(command.env("DSN", url), &stores.log(name))?;
    process.wait_until(START_LIMIT, || listens(address))?;
    let request = look_up(Dialect::Peers, String::new());
    Ok(vec![Box::new(OverHttp::new(name, Some(process), address, Some(Layout::PEERS), request))])
}
