//! Writes the Montgomery kernels for this build and, for the addon, napi's link arguments.

#[path = "build/kernel_writer.rs"]
mod kernel_writer;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build/kernel_writer.rs");
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let path = std::path::Path::new(&out).join("kernels.s");
    std::fs::write(path, kernel_writer::all()).expect("OUT_DIR is writable");
    if std::env::var_os("CARGO_FEATURE_ADDON").is_some() {
        napi_build::setup();
    }
}
