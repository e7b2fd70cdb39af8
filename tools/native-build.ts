// npm run native:build: compiles native/cl-engine with cargo; --prebuilt also renews the binary that is shipped.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
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
  const args = ['build', '--release', '--locked', '--features', 'addon', '--target-dir', 'target']
  const built = spawnSync('cargo', args, { cwd: fileURLToPath(crate), stdio: 'inherit' })
  if (built.status !== 0) return fail('The engine did not compile; cargo said why above.')
  const from = new URL(`target/release/${library}`, crate)
  install(from, new URL('target/cl-engine.node', crate))
  if (prebuilt) {
    mkdirSync(new URL('prebuilt/', crate), { recursive: true })
    const libc = process.platform === 'linux' ? '-gnu' : ''
    install(from, new URL(`prebuilt/cl-engine.${process.platform}-${process.arch}${libc}.node`, crate))
  }
  return 0
}

/** Under a new name first: a running process may have the old file loaded. */
function install(from: URL, to: URL): void {
  const target = fileURLToPath(to)
  copyFileSync(from, `${target}.new`)
  const hash = createHash('sha256')
    .update(readFileSync(`${target}.new`))
    .digest('hex')
  renameSync(`${target}.new`, target)
  writeFileSync(`${target}.sha256`, `${hash}\n`)
  process.stdout.write(`${target}\n  sha256 ${hash}\n`)
}

function fail(reason: string): number {
  process.stderr.write(`${reason}\n`)
  return 1
}
