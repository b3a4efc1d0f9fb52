//! HTTP without work: `GET /hello`, and `PUT /api/leads/extended-data`, which returns JSON of the requested size.

use std::io::Read;

use anyhow::Result;
use bytes::Bytes;
use direct::steps;
use warp::Filter;
use warp::http::Response;

#[tokio::main]
async fn main() -> Result<()> {
    let [port, bytes] = steps::arguments(["PORT", "BYTES"])?;
    let (port, bytes): (u16, usize) = (port.parse()?, bytes.parse()?);
    let mut text = String::from("{\"leads\":[");
    while text.len() < bytes {
        text.push_str("{\"id\":123456,\"first_name\":\"Naba\",\"campaigns\":[]},");
    }
    text.push_str("{}],\"total_leads\":1}");
    let body = Bytes::from(text);

    let hello = warp::path("hello").map(|| "hello");
    let look_up = warp::put().and(warp::path!("api" / "leads" / "extended-data")).and(warp::body::bytes()).map(
        move |_: Bytes| {
            let response = Response::builder().header("content-type", "application/json");
            response.body(body.clone()).expect("the header is valid")
        },
    );
    // Standard input closes when the parent process ends.
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    warp::serve(hello.or(look_up)).run(([127, 0, 0, 1], port)).await;
    Ok(())
}
