// A host on SQLite whose records each owe one signature, made by the real threads: what stands between an
// organisation's offers and its credentials once the wallets have answered.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { CryptoPool } from '../../src/anoncreds/crypto-pool.ts'
import { SHARD_COUNT, referencesTo } from '../../src/domain/references.ts'
import { actorDefinition, type Codec } from '../../src/host/definition.ts'
import { defaultHostLimits } from '../../src/host/host-limits.ts'
import { Host } from '../../src/host/host.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { openEngine } from '../../src/persistence/open-engine.ts'
import { openJournal } from '../../src/persistence/shard-log.ts'
import { shardLogDefaults } from '../../src/persistence/shard-log-settings.ts'
import type { CredentialInput } from '../../src/ports/anoncreds.ts'
import { soleOwner } from '../../src/ports/journal.ts'
import { issuance, prepare } from './crypto.ts'

type Wanted = { readonly tenant: string; readonly number: number }
type Credential = { readonly wanted: Wanted | null; readonly isSigned: boolean }
type Command = { readonly type: 'Owe'; readonly wanted: Wanted } | { readonly type: 'RecordSigned' }
type Owed = { readonly id: string; readonly kind: 'sign'; readonly wanted: Wanted }

type CredentialTypes = {
  readonly state: Credential
  readonly command: Command
  readonly event: Command
  readonly reply: null
  readonly views: { readonly record: Credential }
  readonly owed: Owed
}

/** When a signature was owed, begun and made. */
export type Signature = {
  readonly tenant: string
  readonly owedMs: number
  readonly begunMs: number
  readonly signedMs: number
}

const SUBJECT = { maker: 'native', attributes: 5 } as const
const ASKED_AT_ONCE = 256
const credentials = referencesTo<CredentialTypes>('sig')
const json = <Value>(): Codec<Value> => ({
  encode: (value) => JSON.stringify(value),
  decode: (text) => JSON.parse(text) as Value,
})

const signatures: Signature[] = []
/** When each took its place in line, which it does after its commit. */
const owedMs = new Map<number, number>()
let asked = 0
const state = { underWay: 0 }
let opened: { readonly host: Host; readonly close: () => Promise<void> } | null = null

const definition = (pool: CryptoPool, input: CredentialInput) =>
  actorDefinition<CredentialTypes>({
    kind: 'sig',
    decider: {
      initialState: { wanted: null, isSigned: false },
      decide: (_, command) => [command],
      evolve: (credential, event) =>
        event.type === 'Owe' ? { wanted: event.wanted, isSigned: false } : { ...credential, isSigned: true },
      reply: () => null,
      views: { record: (credential) => credential },
      owed: ({ wanted, isSigned }) =>
        wanted === null || isSigned ? [] : [{ id: 'sign', kind: 'sign', wanted }],
    },
    events: json<Command>(),
    snapshots: json<Credential>(),
    // The host asks this when the run takes its place in line.
    tenantOf: ({ wanted }) => {
      if (wanted !== null && !owedMs.has(wanted.number)) owedMs.set(wanted.number, performance.now())
      return wanted?.tenant ?? null
    },
    perform: async ({ wanted: { tenant, number } }) => {
      let begunMs = 0
      const answer = await pool.run(tenant, { kind: 'issue', input }, () => {
        begunMs = performance.now()
      })
      if (answer.kind !== 'issued') throw new Error(`the threads answered: ${answer.kind}`)
      const signedMs = performance.now()
      signatures.push({ tenant, owedMs: owedMs.get(number) ?? Number.NaN, begunMs, signedMs })
      state.underWay--
      return { type: 'RecordSigned' }
    },
  })

export async function start(): Promise<{ readonly workers: number }> {
  prepare(SUBJECT, [])
  const workers = availableParallelism()
  const pool = new CryptoPool({ engine: 'native', workers, queueMax: 1_000, tableBytesMax: 2 ** 28 })
  const folder = mkdtempSync(join(tmpdir(), 'bench-signing-'))
  const runtime = createRuntime()
  const engine = await openEngine({ engine: 'sqlite', dataFolder: folder })
  const journal = openJournal(engine.store, runtime, shardLogDefaults, soleOwner(runtime.newId()))
  const host = new Host({
    journal,
    vault: null,
    runtime,
    definitions: () => [definition(pool, issuance(SUBJECT))],
    limits: defaultHostLimits,
    report: ({ error }) => process.stderr.write(`${String(error)}\n`),
  })
  await Promise.all(Array.from({ length: SHARD_COUNT }, (_, shard) => host.open(shard)))
  const close = async (): Promise<void> => {
    await host[Symbol.asyncDispose]()
    await pool[Symbol.asyncDispose]()
    await journal[Symbol.asyncDispose]()
    await engine[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  }
  opened = { host, close }
  return { workers }
}

export async function stop(): Promise<void> {
  await opened?.close()
  opened = null
}

/** So many of each organisation, which come at once; resolves when all of them are owed. */
export async function owe(tenants: readonly string[], ofEach: number): Promise<void> {
  const left = Array.from({ length: ofEach }, () => tenants).flat()
  const asker = async (): Promise<void> => {
    for (let tenant = left.shift(); tenant !== undefined; tenant = left.shift()) await oweOne(tenant)
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, asker))
}

/** One signature after another, of an organisation that wants no more than that. */
export async function single(tenant: string, count: number, pauseMs: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    const before = signedOf(tenant)
    await oweOne(tenant)
    while (signedOf(tenant) === before) await new Promise((resolve) => setTimeout(resolve, 1))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** All that were made since the last call, in the order in which they were made. */
export async function settled(): Promise<readonly Signature[]> {
  while (state.underWay > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  owedMs.clear()
  return signatures.splice(0)
}

const signedOf = (tenant: string): number =>
  signatures.reduce((sum, signature) => sum + (signature.tenant === tenant ? 1 : 0), 0)

const oweOne = async (tenant: string): Promise<void> => {
  if (opened === null) throw new Error('start first')
  const number = asked++
  const actor = credentials.newRef(number % SHARD_COUNT, number.toString().padStart(26, '0'))
  state.underWay++
  const wanted = { tenant, number }
  await opened.host.ask(actor, { type: 'Owe', wanted }, { commandId: actor, tenant, timeoutMs: 60_000 })
}
