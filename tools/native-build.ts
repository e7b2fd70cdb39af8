// npm run native:build: compiles native/cl-engine with cargo; --prebuilt also renews the binary that is shipped.
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const crate = new URL('../native/cl-engine/', import.meta.url)
const prebuilt = process.argv.includes('--prebuilt')
const library = { linux: 'libcl_engine.so', darwin: 'libcl_engine.dylib' }[process.platform as string]

process.exitCode = build()

function build(): number {
  if (library === undefined) return fail(`The engine is not built on ${process.platform}.`)
  const version = spawnSync('cargo', ['--version'], { encoding: 'utf8' })
  if (version.error || version.status !== 0) {
    return fail('cargo was not found: install Rust, or use the prebuilt binary as it is.')
  }
  // A directory of its own: with other flags cargo would compile OpenSSL again each time.
  const target = prebuilt ? 'target/prebuilt' : 'target'
  const args = ['build', '--release', '--locked', '--features', 'addon', '--target-dir', target]
  const env = prebuilt ? withoutMachinePaths() : process.env
  const built = spawnSync('cargo', args, { cwd: fileURLToPath(crate), stdio: 'inherit', env })
  if (built.status !== 0) return fail('The engine did not compile; cargo said why above.')
  const from = new URL(`${target}/release/${library}`, crate)
  install(from, new URL('target/cl-engine.node', crate))
  if (prebuilt) {
    const named = machinePaths().find((path) => readFileSync(from).includes(path))
    if (named !== undefined)
      return fail(`The binary names ${named}, a directory of this machine: not shipped.`)
    mkdirSync(new URL('prebuilt/', crate), { recursive: true })
    const libc = process.platform === 'linux' ? '-gnu' : ''
    install(from, new URL(`prebuilt/cl-engine.${process.platform}-${process.arch}${libc}.node`, crate))
  }
  return 0
}

/** What is shipped names no directory of the machine that built it, and OpenSSL looks for nothing in one. */
function withoutMachinePaths(): NodeJS.ProcessEnv {
  spawnSync('cargo', ['fetch', '--locked'], { cwd: fileURLToPath(crate), stdio: 'inherit' })
  const sources = join(cargoHome(), 'registry', 'src')
  const remaps = readdirSync(sources).map(
    (registry) => `--remap-path-prefix=${join(sources, registry)}=crates`,
  )
  return {
    ...process.env,
    // The separator that cargo asks for, because paths may hold spaces.
    CARGO_ENCODED_RUSTFLAGS: remaps.join('\u001f'),
    GNUMAKEFLAGS: 'ENGINESDIR=/usr/local/lib/engines-3 MODULESDIR=/usr/local/lib/ossl-modules',
  }
}

function cargoHome(): string {
  return process.env['CARGO_HOME'] ?? join(homedir(), '.cargo')
}

function machinePaths(): string[] {
  return [cargoHome(), fileURLToPath(crate), 'index.crates.io']
}

/** Under a new name first: a running process may have the old file loaded. */
function install(from: URL, to: URL): void {
  const target = fileURLToPath(to)
  copyFileSync(from, `${target}.new`)
  const sha256 = hash('sha256', readFileSync(`${target}.new`))
  renameSync(`${target}.new`, target)
  writeFileSync(`${target}.sha256`, `${sha256}\n`)
  process.stdout.write(`${target}\n  sha256 ${sha256}\n`)
}

function fail(reason: string): number {
  process.stderr.write(`${reason}\n`)
  return 1
}
