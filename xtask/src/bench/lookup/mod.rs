//! Search benchmark: imports, then every shape of filter, compared with alternatives that a user might choose. Each
//! system's results are verified before it is measured.

mod options;
mod results;
mod table;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use super::data::{self, Data, Files, Format};
use super::reference;
use super::systems::{PEERS, ProductVariant, Shape, Stores, System, build_programs, measure_import};
use super::workload::{self, Dialect, Query};
use crate::project::Project;
use crate::serve;
pub use options::Options;
use results::Results;

/// Generates the data, imports, verifies, measures and prints.
pub fn run(project: &Project, options: &Options) -> Result<()> {
    options.validate()?;
    let program = match &options.program {
        Some(program) => program.clone(),
        None => serve::build(project)?,
    };
    let programs = if options.has_selected_peers() { build_programs(project)? } else { PathBuf::new() };
    let dir = project.target_dir.join(format!("bench/lookup-{}", options.leads));
    fs::create_dir_all(&dir)?;
    println!("generating {} leads in {}", options.leads, dir.display());
    let data = generate_data(options, &dir)?;
    let shapes = shapes(options, &data, &dir)?;

    let mut stores = Stores::new(project, &dir, programs, options.reuse);
    let mut systems = start_product(options, &mut stores, &program, &data)?;
    drop(data);
    for (name, start) in PEERS.iter().filter(|(name, _)| options.is_peer_selected(name)) {
        match start(&mut stores) {
            Ok(started_systems) => systems.extend(started_systems),
            Err(error) => println!("skipping {name}: {error:#}"),
        }
    }
    verify_all(&mut systems, &shapes)?;
    let results = measure(options, &mut systems, &shapes, &dir.join("results.csv"))?;
    table::print(&results, &shapes);
    for system in &mut systems {
        let bytes = system.resident_bytes().unwrap_or(0);
        println!("{:34} {:>10} MB at the end", system.name(), bytes / 1_000_000);
    }
    Ok(())
}

fn generate_data(options: &Options, dir: &Path) -> Result<Data> {
    let mut files = Vec::new();
    if !options.reuse || !dir.join("csv").exists() {
        files.push(Files::create(&dir.join("csv"), Format::Leadscribe)?);
    }
    if options.has_selected_peers() && (!options.reuse || !dir.join("peers").exists()) {
        files.push(Files::create(&dir.join("peers"), Format::Peers)?);
    }
    Ok(data::generate(options.leads, &mut files)?)
}

/// Returns the selected shapes with their expected results. Also writes the workload to a file for the peers' programs.
fn shapes(options: &Options, data: &Data, dir: &Path) -> Result<Vec<Shape>> {
    let mut queries = workload::queries(data);
    queries.retain(|query| options.is_shape_selected(query.shape));
    ensure!(!queries.is_empty(), "no shape matches --shape; use part of a shape's name, such as 03 or campaign");
    let mut file = BufWriter::new(File::create(dir.join("workload.jsonl"))?);
    for query in &queries {
        writeln!(file, "{}", json!({ "shape": query.shape, "body": query.body(Dialect::Peers) }))?;
    }
    file.flush()?;
    let started = Instant::now();
    let mut responses = reference::expected_results(data, &queries).into_iter();
    println!("computed {} expected results in {:.1} s", queries.len(), started.elapsed().as_secs_f64());
    let mut shapes: Vec<Shape> = Vec::new();
    for query in queries {
        if shapes.last().is_none_or(|shape| shape.name != query.shape) {
            shapes.push(Shape { name: query.shape, queries: Vec::new(), expected: Vec::new() });
        }
        let shape = shapes.last_mut().context("a shape was pushed above")?;
        shape.queries.push(query);
        shape.expected.extend(responses.next());
    }
    Ok(shapes)
}

fn start_product(options: &Options, stores: &mut Stores, program: &Path, data: &Data) -> Result<Vec<Box<dyn System>>> {
    let csv = stores.dir().join("csv");
    let selected: Vec<_> = ProductVariant::ALL.iter().filter(|variant| options.is_variant_selected(variant)).collect();
    for postgres in [false, true] {
        if selected.iter().any(|variant| variant.postgres == postgres) {
            measure_import(stores, program, &csv, data, postgres)?;
        }
    }
    selected.iter().map(|variant| variant.start(stores, program)).collect()
}

/// Sends every query to every system once. A wrong result fails the run for the product, and excludes a peer.
fn verify_all(systems: &mut Vec<Box<dyn System>>, shapes: &[Shape]) -> Result<()> {
    let mut failed_systems = Vec::new();
    for system in systems.iter_mut() {
        let started = Instant::now();
        match verify(system.as_mut(), shapes) {
            Ok(0) => {}
            Ok(count) => println!(
                "{:34} {count} responses compared in {:.1} s, no differences",
                system.name(),
                started.elapsed().as_secs_f64()
            ),
            Err(error) if ProductVariant::ALL.iter().any(|variant| variant.name == system.name()) => {
                bail!("{}: {error:#}", system.name())
            }
            Err(error) => {
                println!("skipping {}: {error:#}", system.name());
                failed_systems.push(system.name().to_owned());
            }
        }
    }
    systems.retain(|system| !failed_systems.contains(&system.name().to_owned()));
    Ok(())
}

/// Returns the number of compared results.
fn verify(system: &mut dyn System, shapes: &[Shape]) -> Result<usize> {
    let mut compared = 0;
    for shape in shapes {
        let received = system.responses(shape).with_context(|| shape.name.to_owned())?;
        let Some(received) = received else { continue };
        let (expected_count, received_count) = (shape.queries.len(), received.len());
        ensure!(
            expected_count == received_count,
            "{}: expected {expected_count} responses, found {received_count}",
            shape.name
        );
        for ((query, expected), received) in shape.queries.iter().zip(&shape.expected).zip(&received) {
            received.verify(expected).with_context(|| describe(query))?;
        }
        compared += received_count;
    }
    Ok(compared)
}

fn describe(query: &Query) -> String {
    format!("{}: {}", query.shape, query.body(Dialect::Leadscribe))
}

/// In each round all systems run a shape in turn, so that other load on the machine affects all of them.
fn measure(options: &Options, systems: &mut [Box<dyn System>], shapes: &[Shape], csv: &Path) -> Result<Results> {
    let mut results = Results::create(csv, systems)?;
    let duration = Duration::try_from_secs_f64(options.seconds)?;
    for round in 0..options.rounds {
        for shape in shapes {
            eprintln!("round {} of {}: {}", round + 1, options.rounds, shape.name);
            for clients in &options.clients {
                for system in systems.iter_mut() {
                    match system.run(shape, *clients, duration) {
                        Ok(sample) => results.add(system.name(), shape.name, *clients, round, sample)?,
                        Err(error) => println!("{}, {}, {clients} clients: {error:#}", system.name(), shape.name),
                    }
                }
            }
        }
    }
    println!("\nall samples: {}", csv.display());
    Ok(results)
}
