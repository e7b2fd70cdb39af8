import { afterEach } from 'vitest'
import { connectionKind } from '../../src/actors/connection/index.ts'
import { HandshakeLimits } from '../../src/actors/invitation/handshake-limits.ts'
import { LateComers } from '../../src/actors/invitation/late-comers.ts'
import { invitationKind } from '../../src/actors/invitation/index.ts'
import { KindTables } from '../../src/actors/tables.ts'
import { handshakes as settings } from '../../src/config/settings/front.ts'
import { didCommServiceOf } from '../../src/didcomm/did-document.ts'
import { pack } from '../../src/didcomm/envelope.ts'
import { createKeyPair, seedOf, type KeyPair } from '../../src/didcomm/keys.ts'
import { composeMessage, parseMessage } from '../../src/didcomm/message.ts'
import { documentFor, documentOfLongForm, longFormDid } from '../../src/didcomm/peer-did.ts'
import { ProblemReporter } from '../../src/didcomm/problem-reporter.ts'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import type { Actors } from '../../src/ports/actors.ts'
import { connection } from '../../src/actors/connection/rules.ts'
import type { Deliver } from '../../src/ports/wallets.ts'
import { MemoryBodies } from '../host/parts/memory-bodies.ts'
import { MemoryJournal } from '../host/parts/memory-journal.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'
import { openHost } from '../host/parts/open-host.ts'
import { testRuntime } from '../host/parts/test-runtime.ts'
import { actorsOf } from '../host/parts/actors-that.ts'
import { givenPorts } from './given-ports.ts'
import { noMediator } from './no-mediator.ts'

const tenant = 'ten_00aaaaaaaa'
const many = 'inv_00aaaaaaaa'
export const other = 'inv_00cccccccc'
export const one = 'inv_00bbbbbbbb'
export const here = '192.0.2.1'
const defaults = {
  ofNetworkPerMinute: settings.ofNetworkPerMinute.default,
  ofInvitationPerMinute: settings.ofInvitationPerMinute.default,
  underWayMax: settings.underWayMax.default,
}
const publicUrl = 'https://issuer.example'
const opened: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const world of opened.splice(0)) await world.close()
})

/** Invitations on a real host, the lists beside it, and wallets that are reached or are not. */
export const kiosk = async (settingsOf: Partial<typeof defaults> = {}) => {
  const runtime = testRuntime()
  const directory = new SqliteDirectory(':memory:')
  const tables = new KindTables([invitationKind, connectionKind])
  const made: string[] = []
  /** The keys of the wallets that heard that it is over. */
  const heard: string[] = []
  /** Connections that were read, and those that have changed since the lists were written. */
  const read: string[] = []
  const changed = new Set<string>()
  const answers = new Map<string, (connectionAddress: string, key: string) => void>()
  const deliver: Deliver = async ({ service }, text) => {
    const message = parseMessage(text)
    if (message?.type.endsWith('problem_report')) {
      heard.push(service.recipientKeys[0] ?? '')
      return
    }
    const answer = answers.get(service.recipientKeys[0] ?? '')
    const ours = didCommServiceOf(documentOfLongForm(String(message?.body['did'])))
    answer?.(ours?.endpoint.split('/').at(-1) ?? '', ours?.recipientKeys[0] ?? '')
  }
  let host: Awaited<ReturnType<typeof openHost>>
  const real = actorsOf(() => host.host)
  const actors: Actors = {
    ...real,
    read: (from) => {
      if (from.startsWith('con_')) read.push(from)
      return real.read(from)
    },
    ask: async (to, command, options) => {
      const { type } = command as { readonly type: string }
      if (type === 'RequestConnection') made.push(to)
      if (to.startsWith('con_')) changed.add(to)
      return real.ask(to, command, options)
    },
  }
  const ports = givenPorts({ actors, runtime, deliver, publicUrl: () => publicUrl })
  host = await openHost(new MemoryJournal(), {
    definitions: [invitationKind, connectionKind].map((kind) => kind.definition(ports)),
    vault: new MemoryVault(),
    runtime,
    shards: Array.from({ length: SHARD_COUNT }, (_, shard) => shard),
  })
  opened.push({ close: () => host.host[Symbol.asyncDispose]() })
  const receiver = () => {
    const reporter = new ProblemReporter(deliver)
    const limits = { actors, runtime, directory }
    return tables.inboundOf({
      actors,
      runtime,
      vault: new MemoryVault(),
      bodies: new MemoryBodies(),
      allowPrivateTargets: false,
      reporter,
      handshakes: new HandshakeLimits(limits, { ...defaults, ...settingsOf }),
      lateComers: new LateComers(runtime),
      mediator: noMediator,
    }).receive
  }
  let receive = receiver()
  const key = createKeyPair()
  for (const [id, multiUse] of [[many, true] as const, [other, true] as const, [one, false] as const]) {
    const facts = { tenant, label: 'Desk', multiUse, alias: null, externalId: null }
    const keys = { ownSeed: seedOf(key).toString('base64url'), ownKey: key.publicKeyBase58 }
    const command = { type: 'CreateInvitation', atMs: runtime.now(), ...facts, ...keys } as const
    await real.ask(invitationKind.references.ref(id), command, { commandId: `create:${id}`, tenant })
  }
  const begin = (wallet: KeyPair, from = here, invitationId = many, endpoint = 'https://wallet.example') => {
    const recipientKeys = [wallet.publicKeyBase58]
    const service = { endpoint, recipientKeys, routingKeys: [] }
    const request = composeMessage({
      id: 'request',
      type: 'didexchange/1.1/request',
      thread: { thid: 'request', pthid: invitationId },
      did: longFormDid(documentFor(service)),
    })
    return receive(invitationId, pack(request, [key.publicKeyBase58], wallet), from)
  }
  /** Says that it does not want what it began. */
  const end = (wallet: KeyPair, from = here) => {
    const report = composeMessage({
      id: 'end',
      type: 'didexchange/1.1/problem_report',
      thread: { thid: 'request', pthid: many },
      'problem-code': 'request_not_accepted',
    })
    return receive(many, pack(report, [key.publicKeyBase58], wallet), from)
  }
  return {
    runtime,
    made,
    heard,
    read,
    begin,
    end,
    /** A wallet that answers, from its first message to `completed`. */
    connect: async (from = here, wallet = createKeyPair(), invitationId = many): Promise<unknown> => {
      const answered = Promise.withResolvers<readonly [string, string]>()
      answers.set(wallet.publicKeyBase58, (...ours) => answered.resolve(ours))
      const received = await begin(wallet, from, invitationId)
      if (received !== 'accepted') return received
      const [address, ourKey] = await answered.promise
      const thread = { thid: 'request' }
      const complete = composeMessage({ id: 'complete', type: 'didexchange/1.1/complete', thread })
      await receive(address, pack(complete, [ourKey], wallet), from)
      const record = await real.read(connection.ref(address))
      return 'status' in record ? record.status : record
    },
    statusOf: async (connectionId: string): Promise<unknown> => {
      const record = await real.read(connection.ref(connectionId))
      return 'status' in record ? record.status : record
    },
    erase: async (connectionId: string): Promise<void> => {
      const command = { type: 'EraseRecord', atMs: runtime.now(), tenant, by: 'api_key' } as const
      await real.ask(connection.ref(connectionId), command, { commandId: `erase:${connectionId}`, tenant })
    },
    /** The lists follow the log; here they do so when a test says it. */
    project: async () => {
      const rows = await Promise.all([...changed].map(async (id) => tables.rowsOf(real, id)))
      changed.clear()
      directory.write(0, rows.flat(), { no: 1, index: 0 })
    },
    /** What was in memory is forgotten. */
    restart: () => {
      receive = receiver()
    },
  }
}
