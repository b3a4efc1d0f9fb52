//! Compiler for wasm32-unknown-unknown: the user's own, else Debian's.
//!
//! No `rust-toolchain.toml` lists the target, because every cargo call would fail where it can't be downloaded.
//! Debian's WebAssembly compiler is in /usr/bin next to rustup's, and only this file knows of it.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;
use std::{env, fs};

use anyhow::{Context, Result, bail};
use duct::{Expression, cmd};

use super::apt;
use crate::project::{Project, find_program};

/// Target of the panel and the ES module.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Timeout of the download, which has 20 MB, if Debian's packages are an alternative: a network that drops packets must
/// not delay the build for long.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_secs(40);

/// Timeout of the download without an alternative.
const DOWNLOAD_TIMEOUT_WITHOUT_APT: Duration = Duration::from_secs(15 * 60);

/// Source of the standard library. Debian's compiler has no compiled one for the target and builds it from this.
const DEBIAN_STANDARD_LIBRARY: &str = "/usr/lib/rustlib/src/rust/library/Cargo.lock";

/// Debian's cargo. Another toolchain's may come before it in `PATH`.
const DEBIAN_CARGO: &str = "/usr/bin/cargo";

/// Debian's compiler.
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";

/// Way to compile for [`TARGET`] on this machine.
pub enum WasmToolchain {
    /// The toolchain that runs this program has the target's standard library.
    Active,
    /// Debian's toolchain, which compiles the standard library too.
    Debian {
        /// WebAssembly linker on the path, for example `wasm-ld-22`.
        linker: String,
    },
}

/// Finds or installs a compiler.
pub fn ensure(project: &Project) -> Result<WasmToolchain> {
    if active_toolchain_has_target(project) {
        return Ok(WasmToolchain::Active);
    }
    if let Some(linker) = debian_linker() {
        return Ok(WasmToolchain::Debian { linker });
    }
    if install_with_rustup() && active_toolchain_has_target(project) {
        return Ok(WasmToolchain::Active);
    }
    if !apt::is_available() {
        bail!(
            "the Rust toolchain has no standard library for {TARGET}; install it with `rustup target add {TARGET}`, or with \
             the package that your system has for it"
        );
    }
    let lld = apt::newest_numbered("lld-")?.context("apt-cache lists no lld-<number>, which links WebAssembly")?;
    apt::install(&["rustc-web", "cargo-web", "rust-web-src", &lld])?;
    let linker =
        debian_linker().with_context(|| format!("installed rustc-web and {lld}, but found no compiler in /usr/bin"))?;
    Ok(WasmToolchain::Debian { linker })
}

impl WasmToolchain {
    /// Returns a cargo call that compiles for [`TARGET`] with the profile `wasm`; `command` is `build` or `rustc`.
    ///
    /// The target directory differs from that of the native build: two compilers in one would invalidate each other's
    /// outputs.
    pub fn cargo(&self, project: &Project, command: &str, args: &[&str], target_dir: &Path) -> Expression {
        let mut cargo_args: Vec<OsString> =
            vec![command.into(), "--profile".into(), "wasm".into(), "--target".into(), TARGET.into()];
        cargo_args.extend(["--target-dir".into(), target_dir.into()]);
        if let Self::Debian { .. } = self {
            cargo_args.push("-Zbuild-std=std,panic_abort".into());
        }
        // At the end, because they may end with arguments for the compiler.
        cargo_args.extend(args.iter().map(OsString::from));
        let expression = match self {
            Self::Active => project.cargo(cargo_args),
            Self::Debian { linker } => without_rustup(project.command(DEBIAN_CARGO, cargo_args))
                .env("RUSTC", DEBIAN_RUSTC)
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker),
        };
        // The user's flags are meant for the native processor and linker, and would replace those for WebAssembly in
        // .cargo/config.toml.
        expression.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS")
    }
}

/// Removes settings of rustup and of the running cargo, which Debian's cargo must not find.
fn without_rustup(command: Expression) -> Expression {
    env::vars_os()
        .map(|(name, _)| name)
        .filter(|name| name.to_string_lossy().starts_with("RUSTUP_"))
        .chain(["CARGO", "RUSTDOC", "RUSTC_WRAPPER", "RUST_RECURSION_COUNT", "LD_LIBRARY_PATH"].map(OsString::from))
        .fold(command, |command, name| command.env_remove(name))
}

fn active_toolchain_has_target(project: &Project) -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let library = project.command(rustc, ["--print", "target-libdir", "--target", TARGET]).stderr_null().read();
    let Ok(entries) = library.map_err(anyhow::Error::from).and_then(|dir| Ok(fs::read_dir(dir)?)) else { return false };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
}

fn debian_linker() -> Option<String> {
    let installed = [DEBIAN_CARGO, DEBIAN_RUSTC, DEBIAN_STANDARD_LIBRARY].iter().all(|path| Path::new(path).exists());
    if !installed || !is_debian_rustc_new_enough() {
        return None;
    }
    let names: Vec<String> =
        fs::read_dir("/usr/bin").ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    apt::with_greatest_number("wasm-ld-", names.iter().map(String::as_str)).map(String::from)
}

/// Debian also has older compilers that can't compile this workspace.
fn is_debian_rustc_new_enough() -> bool {
    let Ok(version) = cmd!(DEBIAN_RUSTC, "--version").read() else { return false };
    let numbers = |text: &str| text.split('.').take(2).map(|part| part.parse::<u32>().ok()).collect::<Option<Vec<_>>>();
    let installed = version.strip_prefix("rustc ").and_then(numbers);
    installed.is_some() && installed >= numbers(env!("CARGO_PKG_RUST_VERSION"))
}

/// True if rustup exists and could install the target in time.
fn install_with_rustup() -> bool {
    if find_program(&["rustup"]).is_none() {
        return false;
    }
    eprintln!("installing the target {TARGET} with rustup");
    let timeout = if apt::is_available() { DOWNLOAD_TIMEOUT } else { DOWNLOAD_TIMEOUT_WITHOUT_APT };
    let command = cmd!("rustup", "target", "add", TARGET).env_remove("RUST_BACKTRACE").unchecked();
    let Ok(handle) = command.start() else { return false };
    let installed = match handle.wait_timeout(timeout) {
        Ok(Some(output)) => output.status.success(),
        _ => {
            // Cancels the download. If that fails, it does no harm.
            drop(handle.kill());
            false
        }
    };
    if !installed {
        eprintln!("rustup could not install the target within {} s", timeout.as_secs());
    }
    installed
}
