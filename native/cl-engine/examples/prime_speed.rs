//! Milliseconds per signature prime.

fn main() {
    cl_engine::primes::generate().unwrap();
    let rounds = 500;
    let start = std::time::Instant::now();
    for _ in 0..rounds {
        cl_engine::primes::generate().unwrap();
    }
    println!("{:.3} ms per prime", start.elapsed().as_secs_f64() * 1e3 / rounds as f64);
}
