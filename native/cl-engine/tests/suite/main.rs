//! What the engine must hold to. One program, because each one is optimized as a whole, which takes long.

mod cross;
mod faults;
mod kernels;
mod primes;
mod randomness;
mod refusals;
