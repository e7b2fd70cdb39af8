// A vault on its own key file, driven from within its process: what a new record costs before its first event.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import { codec } from '../../src/host/codec.ts'
import type { RecordSeal, Vault } from '../../src/ports/vault.ts'
import { loadConfig } from '../../src/config/config.ts'
import { openConfiguredVault } from '../../src/persistence/vault/open-vault.ts'
import { Latencies } from '../harness/latencies.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-vault-'))
process.on('exit', () => rmSync(folder, { recursive: true }))

const opening: Promise<Vault> = openConfiguredVault(
  loadConfig({ VOUCHSAFE_DATA_FOLDER: folder, VOUCHSAFE_VAULT_TIMEOUT_MS: '60000' }),
  { cassandra: null, keyStore: { read: async () => null, record: async () => {} } },
  () => performance.now(),
)

const PARENT = { tenant: 'ten_00benchmark', connection: null }
const opened = opening.then(async (vault) => {
  await vault.makeTenant(PARENT.tenant)
  return vault
})
const offered = codec({
  version: 1,
  schema: Type.Object(
    {
      type: Type.Literal('CredentialOffered'),
      atMs: Type.Integer(),
      connectionId: Type.String({ maxLength: 100 }),
      definitionId: Type.String({ maxLength: 300 }),
      attributes: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
    },
    { additionalProperties: false },
  ),
  personal: ['attributes'],
})
const event = {
  type: 'CredentialOffered' as const,
  atMs: 1_800_000_000_000,
  connectionId: 'con_07aaaaaaaaaaaaaaaaaaaaaaaaaa',
  definitionId: 'def_07bbbbbbbbbbbbbbbbbbbbbbbbbb',
  attributes: {
    name: 'Alice Example',
    birth: '19800101',
    degree: 'MSc',
    expiresAt: '1900000000',
    code: 'x1',
  },
}

let next = 0
const newRecord = (): string => `cre_07${process.pid.toString(36)}${(next++).toString(36).padStart(20, '0')}`

const inParallel = async (concurrency: number, ms: number, one: () => Promise<void>) => {
  const latencies = new Latencies()
  const endMs = performance.now() + ms
  let done = 0
  const startedMs = performance.now()
  const loop = async (): Promise<void> => {
    for (let now = performance.now(); now < endMs; ) {
      await one()
      const after = performance.now()
      latencies.add(after - now)
      now = after
      done++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  return { perS: done / ((performance.now() - startedMs) / 1_000), latency: latencies.summary() }
}

/** Key made durable, first event validated, encoded and sealed. */
export async function createAndSeal(concurrency: number, ms: number) {
  const vault = await opened
  return await inParallel(concurrency, ms, async () => {
    offered.encode(event, await vault.create(newRecord(), PARENT))
  })
}

/** Records that exist, each erased once. */
export async function erase(concurrency: number, count: number) {
  const vault = await opened
  const records = Array.from({ length: count }, newRecord)
  await Promise.all(records.map((record) => vault.create(record, PARENT)))
  const startedMs = performance.now()
  const loop = async (): Promise<void> => {
    for (let record = records.pop(); record !== undefined; record = records.pop()) await vault.erase(record)
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  return { perS: count / ((performance.now() - startedMs) / 1_000) }
}

/** Microseconds of each step on the main thread. */
export async function steps(count: number) {
  const vault = await opened
  const seal: RecordSeal = await vault.create(newRecord(), PARENT)
  const bare = { ...event, attributes: null }
  const plain = JSON.stringify({ attributes: event.attributes })
  const sealed = seal.seal(plain, 'context')
  const [bareText, text] = [offered.encode(bare, null), offered.encode(event, seal)]
  const usOf = (step: () => unknown): number => {
    for (let index = 0; index < count / 10; index++) step()
    const startedMs = performance.now()
    for (let index = 0; index < count; index++) step()
    return ((performance.now() - startedMs) * 1_000) / count
  }
  return {
    json_stringify_us: usOf(() => JSON.stringify(bare)),
    json_parse_us: usOf(() => JSON.parse(bareText) as unknown),
    seal_us: usOf(() => seal.seal(plain, 'context')),
    open_us: usOf(() => seal.open(sealed, 'context')),
    encode_bare_us: usOf(() => offered.encode(bare, null)),
    decode_bare_us: usOf(() => offered.decode(bareText, null)),
    encode_sealed_us: usOf(() => offered.encode(event, seal)),
    decode_sealed_us: usOf(() => offered.decode(text, seal)),
  }
}
