//! Search on columns in memory, without HTTP.

use anyhow::Result;
use direct::memory::Columns;
use direct::{steps, workload};

fn main() -> Result<()> {
    let [dir, workload] = steps::arguments(["DIR", "WORKLOAD"])?;
    steps::serve(&Columns::load(&dir)?, &workload::read(&workload)?)
}
