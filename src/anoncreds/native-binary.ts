import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The exports of the addon; see native/cl-engine/src/binding.rs. */
export type NativeAddon = {
  issue(definition: string, secret: string, offer: string, request: string, values: string): string
  verify(presentation: string, request: string, schemas: string, definitions: string, privates: string): void
  generateDefinition(schemaId: string, issuerId: string, tag: string, attributes: string): string
  /** Makes primes ahead; returns how many wait. */
  fillPrimePool(count: number): number
  primePoolSize(): number
  discardPrimePool(): void
  setCapacity(bytes: number): void
  status(): NativeStatus
}

export type NativeStatus = {
  readonly version: string
  readonly arithmetic: string
  readonly definitions: number
  readonly definitionBytes: number
  readonly capacityBytes: number
}

export type NativeCause = 'binary-missing' | 'binary-unverified' | 'binary-changed' | 'binary-not-loading'

/** The binary is missing, was changed, or does not load on this machine. */
export class NativeUnavailable extends Error {
  override readonly name = 'NativeUnavailable'
  readonly code: NativeCause

  constructor(code: NativeCause, reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.code = code
  }
}

const folder = new URL('../../native/cl-engine/', import.meta.url)

/** A build of this checkout (npm run native:build) takes precedence over the one that was shipped. */
export const nativeBinaries = (): readonly URL[] => [
  new URL('target/cl-engine.node', folder),
  new URL(`prebuilt/cl-engine.${process.platform}-${process.arch}${libc()}.node`, folder),
]

const libc = (): string => {
  if (process.platform !== 'linux') return ''
  // Without this the report looks up every network interface, which takes seconds where name resolution is broken.
  Object.assign(process.report, { excludeNetwork: true })
  const header = (process.report.getReport() as { header?: { glibcVersionRuntime?: string } }).header
  return header?.glibcVersionRuntime ? '-gnu' : '-musl'
}

/** Loads the binary if its bytes match the SHA-256 beside it. Only for worker threads and separate processes. */
export const loadNative = (candidates: readonly URL[] = nativeBinaries()): NativeAddon => {
  const file = candidates.find((candidate) => existsSync(candidate))
  if (!file) throw new NativeUnavailable('binary-missing', 'there is no engine binary for this platform')
  const path = fileURLToPath(file)
  const expected = expectedHash(path)
  const actual = createHash('sha256').update(readFileSync(path)).digest('hex')
  if (actual !== expected)
    throw new NativeUnavailable('binary-changed', 'the engine binary does not match its SHA-256')
  try {
    return createRequire(import.meta.url)(path) as NativeAddon
  } catch (error) {
    throw new NativeUnavailable('binary-not-loading', 'the engine binary does not load here', {
      cause: error,
    })
  }
}

const expectedHash = (path: string): string => {
  try {
    return readFileSync(`${path}.sha256`, 'utf8').trim().slice(0, 64)
  } catch (error) {
    throw new NativeUnavailable('binary-unverified', 'the engine binary has no SHA-256 beside it', {
      cause: error,
    })
  }
}
