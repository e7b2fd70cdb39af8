import { afterEach, describe, expect, it } from 'vitest'
import { connectionKind } from '../../../src/actors/connection/index.ts'
import { HandshakeLimits } from '../../../src/actors/invitation/handshake-limits.ts'
import { invitationKind } from '../../../src/actors/invitation/index.ts'
import { KindTables } from '../../../src/actors/tables.ts'
import { handshakes as settings } from '../../../src/config/settings/front.ts'
import { didCommServiceOf } from '../../../src/didcomm/did-document.ts'
import { pack } from '../../../src/didcomm/envelope.ts'
import { createKeyPair, seedOf, type KeyPair } from '../../../src/didcomm/keys.ts'
import { composeMessage, parseMessage } from '../../../src/didcomm/message.ts'
import { documentFor, documentOfLongForm, longFormDid } from '../../../src/didcomm/peer-did.ts'
import { ProblemReporter } from '../../../src/didcomm/problem-reporter.ts'
import { SHARD_COUNT } from '../../../src/domain/references.ts'
import { SqliteDirectory } from '../../../src/directory/sqlite-directory.ts'
import type { Actors } from '../../../src/ports/actors.ts'
import { connection } from '../../../src/actors/connection/rules.ts'
import type { Deliver } from '../../../src/ports/wallets.ts'
import { MemoryJournal } from '../../host/parts/memory-journal.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'
import { openHost } from '../../host/parts/open-host.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'
import { actorsOf } from '../../host/parts/actors-that.ts'
import { givenPorts } from '../given-ports.ts'

const MINUTE_MS = 60_000
const tenant = 'ten_00aaaaaaaa'
const many = 'inv_00aaaaaaaa'
const one = 'inv_00bbbbbbbb'
const here = '192.0.2.1'
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
const kiosk = async (changed: Partial<typeof defaults> = {}) => {
  const runtime = testRuntime()
  const directory = new SqliteDirectory(':memory:')
  const tables = new KindTables([invitationKind, connectionKind])
  const made: string[] = []
  const answers = new Map<string, (connectionAddress: string, key: string) => void>()
  const deliver: Deliver = async ({ service }, text) => {
    const message = parseMessage(text)
    const answer = answers.get(service.recipientKeys[0] ?? '')
    const ours = didCommServiceOf(documentOfLongForm(String(message?.body['did'])))
    answer?.(ours?.endpoint.split('/').at(-1) ?? '', ours?.recipientKeys[0] ?? '')
  }
  let host: Awaited<ReturnType<typeof openHost>>
  const real = actorsOf(() => host.host)
  const actors: Actors = {
    ...real,
    ask: async (to, command, options) => {
      const { type } = command as { readonly type: string }
      if (type === 'RequestConnection') made.push(to)
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
  const receiver = () =>
    tables.inboundOf({
      actors,
      runtime,
      reporter: new ProblemReporter(deliver),
      handshakes: new HandshakeLimits({ actors, runtime, directory }, { ...defaults, ...changed }),
    }).receive
  let receive = receiver()
  const key = createKeyPair()
  for (const [id, multiUse] of [[many, true] as const, [one, false] as const]) {
    const facts = { tenant, label: 'Desk', multiUse, alias: null, externalId: null }
    const keys = { ownSeed: seedOf(key).toString('base64url'), ownKey: key.publicKeyBase58 }
    const command = { type: 'CreateInvitation', atMs: runtime.now(), ...facts, ...keys } as const
    await real.ask(invitationKind.references.ref(id), command, { commandId: `create:${id}`, tenant })
  }
  const begin = (wallet: KeyPair, from = here, invitationId = many) => {
    const recipientKeys = [wallet.publicKeyBase58]
    const service = { endpoint: 'https://wallet.example', recipientKeys, routingKeys: [] }
    const request = composeMessage({
      id: 'request',
      type: 'didexchange/1.1/request',
      thread: { thid: 'request', pthid: invitationId },
      did: longFormDid(documentFor(service)),
    })
    return receive(invitationId, pack(request, [key.publicKeyBase58], wallet), from)
  }
  return {
    runtime,
    made,
    begin,
    /** A wallet that answers, from its first message to `completed`. */
    connect: async (from = here): Promise<unknown> => {
      const wallet = createKeyPair()
      const answered = Promise.withResolvers<readonly [string, string]>()
      answers.set(wallet.publicKeyBase58, (...ours) => answered.resolve(ours))
      const received = await begin(wallet, from)
      if (received !== 'accepted') return received
      const [address, ourKey] = await answered.promise
      const thread = { thid: 'request' }
      const complete = composeMessage({ id: 'complete', type: 'didexchange/1.1/complete', thread })
      await receive(address, pack(complete, [ourKey], wallet), from)
      const record = await real.read(connection.ref(address))
      return 'status' in record ? record.status : record
    },
    /** The lists follow the log; here they do so when a test says it. */
    project: async () => {
      const rows = await Promise.all(made.map(async (id) => tables.rowOf(real, id)))
      directory.write(
        0,
        rows.filter((row) => row !== null),
        { no: 1, index: 0 },
      )
    },
    /** What was in memory is forgotten. */
    restart: () => {
      receive = receiver()
    },
  }
}

const tooMany = { retryAfterMs: expect.any(Number) as unknown }

describe('handshakes', () => {
  it('of 60 wallets a minute at a kiosk behind one address all complete, for as long as it stands there', async () => {
    const { connect, runtime, project } = await kiosk()
    for (let minute = 0; minute < 3; minute++) {
      for (let wallet = 0; wallet < 60; wallet++) {
        expect(await connect()).toBe('completed')
        runtime.forward(1_000)
      }
      await project()
    }
  }, 60_000)

  it('of one network are refused beyond its rate, and nothing is made of them', async () => {
    const { begin, made, runtime } = await kiosk({ ofNetworkPerMinute: 3 })
    const first = createKeyPair()
    for (const wallet of [first, createKeyPair(), createKeyPair()])
      expect(await begin(wallet, '2001:db8::1')).toBe('accepted')
    const late = createKeyPair()
    expect(await begin(late, '2001:db8::2')).toEqual(tooMany)
    expect(made).toHaveLength(3)
    // Another network has a rate of its own, and who has begun is known.
    expect(await begin(createKeyPair(), '2001:db8:0:1::1')).toBe('accepted')
    expect(await begin(first, '2001:db8::2')).toBe('accepted')
    expect(made).toHaveLength(4)
    runtime.forward(MINUTE_MS + 1_000)
    expect(await begin(late, '2001:db8::2')).toBe('accepted')
  })

  it('of one invitation are refused beyond its rate, wherever they come from', async () => {
    const { begin, made } = await kiosk({ ofInvitationPerMinute: 2 })
    for (const from of ['192.0.2.1', '192.0.2.2']) expect(await begin(createKeyPair(), from)).toBe('accepted')
    expect(await begin(createKeyPair(), '192.0.2.3')).toEqual(tooMany)
    expect(made).toHaveLength(2)
  })

  it('that use an invitation for one are not counted, and those that come too late are', async () => {
    const { begin } = await kiosk({ ofNetworkPerMinute: 1 })
    expect(await begin(createKeyPair(), here, one)).toBe('accepted')
    // It hears why by a problem report.
    expect(await begin(createKeyPair(), here, one)).toBe('accepted')
    expect(await begin(createKeyPair(), here, one)).toEqual(tooMany)
  })

  it('under way at one invitation are no more than it may have, also after a restart', async () => {
    const { begin, made, project, restart } = await kiosk({ underWayMax: 2 })
    expect(await begin(createKeyPair())).toBe('accepted')
    expect(await begin(createKeyPair())).toBe('accepted')
    expect(await begin(createKeyPair())).toEqual(tooMany)
    await project()
    restart()
    expect(await begin(createKeyPair())).toEqual(tooMany)
    expect(made).toHaveLength(2)
  })

  it('free their place when they complete', async () => {
    const { connect, project, runtime } = await kiosk({ underWayMax: 1 })
    for (let wallet = 0; wallet < 3; wallet++) {
      expect(await connect()).toBe('completed')
      await project()
      runtime.forward(1_001)
    }
  })

  it('that take long give way to others, so that nobody can shut an invitation', async () => {
    const { begin, connect, project, runtime } = await kiosk({ underWayMax: 2 })
    await begin(createKeyPair())
    await begin(createKeyPair())
    await project()
    runtime.forward(4 * MINUTE_MS)
    expect(await connect()).toEqual(tooMany)
    runtime.forward(MINUTE_MS + 1_000)
    expect(await connect()).toEqual(tooMany)
    await project()
    runtime.forward(1_001)
    expect(await connect()).toBe('completed')
  })
})
