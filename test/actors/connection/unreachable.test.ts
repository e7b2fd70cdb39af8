import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectionKind } from '../../../src/actors/connection/index.ts'
import { connection } from '../../../src/actors/connection/rules.ts'
import { invitationKind } from '../../../src/actors/invitation/index.ts'
import { deliverTo, nothingInside } from '../../../src/didcomm/deliver.ts'
import { createKeyPair, createOwnKey } from '../../../src/didcomm/keys.ts'
import { EgressFailed, EgressRefused } from '../../../src/egress/failures.ts'
import type { Deliver, WalletService } from '../../../src/ports/wallets.ts'
import { eventually } from '../../eventually.ts'
import { givenPorts } from '../given-ports.ts'
import { kindsOnHost } from '../kinds-on-host.ts'

const MINUTE_MS = 60_000
const tenant = 'ten_00aaaaaaaa'
const invitationId = 'inv_00aaaaaaaa'
const connectionId = 'con_00aaaaaaaa'
const key = (): string => createKeyPair().publicKeyBase58

/** A connection on a real host and a clock that is put forward, whose wallet's endpoint does what a test says. */
const unreachableWorld = async () => {
  const posts: { readonly afterMs: number; readonly bytes: number }[] = []
  const sendings: string[] = []
  const world = {
    answers: (): Error | null => new EgressFailed('the connection failed'),
    hangs: undefined as Promise<void> | undefined,
  }
  let startedMs = 0
  const host = await kindsOnHost(({ actors, runtime }) => {
    const send = async (endpoint: string, envelope: string): Promise<void> => {
      const bytes = Buffer.byteLength(endpoint) + Buffer.byteLength(envelope)
      posts.push({ afterMs: runtime.now() - startedMs, bytes })
      await world.hangs
      const failure = world.answers()
      if (failure !== null) throw failure
    }
    const byPost = deliverTo({ send, newId: () => runtime.newId(), inside: nothingInside })
    const deliver: Deliver = (to, message, signal, sending) => {
      sendings.push(sending)
      return byPost(to, message, signal, sending)
    }
    const ports = givenPorts({ actors, deliver, runtime, publicUrl: () => 'https://issuer.example' })
    return [invitationKind, connectionKind].map((kind) => kind.definition(ports))
  })
  const ask = host.askAs(tenant)
  const created = { tenant, label: 'Registry', multiUse: true, alias: null, externalId: null }
  await ask(invitationId, { type: 'CreateInvitation', atMs: 1, ...created, ...createOwnKey() })
  startedMs = host.runtime.now()
  const request = async (
    service: Partial<WalletService> = {},
    of = invitationId,
    theirDid = 'did:peer:1z',
  ): Promise<void> => {
    const theirService = {
      endpoint: 'https://wallet.example',
      recipientKeys: [key()],
      routingKeys: [],
      ...service,
    }
    await ask(connectionId, {
      type: 'RequestConnection',
      atMs: host.runtime.now(),
      tenant,
      invitationId: of,
      externalId: null,
      threadId: 't'.repeat(256),
      theirLabel: 'Phone',
      theirDid,
      theirService,
      ...createOwnKey(),
      protocol: 'didexchange/1.1',
      prefix: 'https://didcomm.org/',
    })
  }
  const endItself = () =>
    ask(connectionId, {
      type: 'ReceiveConnectionProblem',
      atMs: host.runtime.now(),
      code: 'request_not_accepted',
      text: '',
    })
  const giveWay = () => ask(connectionId, { type: 'GiveWay', atMs: host.runtime.now() })
  const repeat = () => ask(connectionId, { type: 'RepeatRequest', atMs: host.runtime.now() })
  /** Lets time go by in steps, in each of which everything that is due comes to its end. */
  const goBy = async (minutes: number, stepMs = 5 * MINUTE_MS): Promise<void> => {
    for (let leftMs = minutes * MINUTE_MS; leftMs > 0; leftMs -= stepMs) {
      host.runtime.forward(Math.min(stepMs, leftMs))
      await new Promise((resolve) => setTimeout(resolve, 12))
    }
  }
  const state = async () => {
    const record = await host.actors.read(connection.ref(connectionId))
    return 'status' in record ? record : null
  }
  return { ...host, world, posts, sendings, request, repeat, endItself, giveWay, goBy, state }
}

let at: Awaited<ReturnType<typeof unreachableWorld>>
beforeEach(async () => {
  at = await unreachableWorld()
})
afterEach(() => at.close())

const bytesOf = (posts: readonly { readonly bytes: number }[]): number =>
  posts.reduce((sum, { bytes }) => sum + bytes, 0)

describe('a wallet that cannot be reached', () => {
  it('costs a third party 6 posts and 100 KB in 24 hours, whatever its request says', async () => {
    // The most keys that a DID document may name.
    const recipientKeys = Array.from({ length: 8 }, key)
    const endpoint = `https://wallet.example/${'x'.repeat(2_025)}`
    await at.request({ endpoint, recipientKeys, routingKeys: [key(), key()] }, invitationId, 'did:peer:4z')
    await at.goBy(25 * 60)
    expect(at.posts).toHaveLength(6)
    // Whichever of them arrives, it is one answer.
    expect(new Set(at.sendings).size).toBe(1)
    expect(bytesOf(at.posts)).toBeLessThanOrEqual(100_000)
    expect(await at.state()).toMatchObject({ status: 'abandoned' })
  }, 60_000)

  it('gets its answer when its mediator is back after an hour', async () => {
    await at.request()
    await at.goBy(60)
    at.world.answers = () => null
    await at.goBy(15)
    expect(await at.state()).toMatchObject({ status: 'response-sent' })
  })

  it('gets it at once when it writes again, at most twice, and has no more attempts for that', async () => {
    await at.request()
    await at.goBy(15)
    await eventually(() => expect(at.posts).toHaveLength(3))
    for (const posts of [4, 5, 5]) {
      await at.goBy(2, MINUTE_MS)
      await at.repeat()
      await eventually(() => expect(at.posts).toHaveLength(posts))
    }
    await at.goBy(25 * 60)
    expect(at.posts).toHaveLength(6)
  }, 60_000)

  it('that writes again within a minute is remembered, and gets it when the minute is over', async () => {
    await at.request()
    await at.goBy(1 / 3, 10_000)
    await eventually(() => expect(at.posts).toHaveLength(2))
    await at.goBy(1 / 3, 10_000)
    await at.repeat()
    await at.repeat()
    expect(at.posts).toHaveLength(2)
    await at.goBy(0.75, 15_000)
    await eventually(() => expect(at.posts).toHaveLength(3))
    expect(at.posts[2]?.afterMs).toBeLessThanOrEqual(90_000)
    await at.goBy(25 * 60)
    expect(at.posts).toHaveLength(6)
  }, 60_000)

  it('gets an answer that was lost again, at most twice', async () => {
    at.world.answers = () => null
    await at.request()
    await eventually(async () => expect(await at.state()).toMatchObject({ status: 'response-sent' }))
    await at.goBy(0.5, 10_000)
    await at.repeat()
    expect(at.posts).toHaveLength(1)
    await at.goBy(1, 10_000)
    await eventually(() => expect(at.posts).toHaveLength(2))
    at.world.answers = () => new EgressFailed('the connection failed')
    for (const posts of [3, 3]) {
      await at.goBy(2, MINUTE_MS)
      await at.repeat()
      await eventually(() => expect(at.posts).toHaveLength(posts))
    }
    await at.goBy(60)
    expect(at.posts).toHaveLength(3)
    // Each of them is to arrive.
    expect(new Set(at.sendings).size).toBe(3)
    expect(await at.state()).toMatchObject({ status: 'response-sent' })
  })

  it('is not tried again where its address can never work', async () => {
    at.world.answers = () => new EgressRefused('the URL must begin with https')
    await at.request()
    await at.goBy(60)
    expect(at.posts).toHaveLength(1)
    expect(await at.state()).toMatchObject({ status: 'abandoned' })
  })

  it('that ended its handshake itself hears nothing of it, however often it writes', async () => {
    at.world.answers = () => null
    await at.request()
    await eventually(async () => expect(await at.state()).toMatchObject({ status: 'response-sent' }))
    await at.endItself()
    expect(await at.state()).toMatchObject({ status: 'abandoned' })
    await repeatEachMinute(60)
    expect(at.posts).toHaveLength(1)
  }, 60_000)

  it('that gave way hears so at once, and at most twice when it writes again', async () => {
    at.world.answers = () => null
    await at.request()
    await at.goBy(6)
    await at.giveWay()
    await eventually(() => expect(at.posts).toHaveLength(2))
    await repeatEachMinute(60)
    expect(at.posts).toHaveLength(4)
  }, 60_000)

  it('whose invitation cannot be read is given up, and nothing of it stays owed', async () => {
    await at.request({}, 'inv_00zzzzzzzz')
    await at.goBy(6)
    await at.giveWay()
    await eventually(async () => expect(await at.state()).toMatchObject({ attempts: { again: 'never' } }))
    expect(at.posts).toHaveLength(0)
  })

  it('that comes back after its six answers failed is not written to again', async () => {
    await at.request()
    await at.goBy(25 * 60)
    await at.repeat()
    expect(await at.state()).toMatchObject({ status: 'abandoned', attempts: { made: 6, again: 'over' } })
    expect(at.posts).toHaveLength(6)
  }, 60_000)

  it('gets 6 posts in all, of the answers and of the end', async () => {
    await at.request()
    await at.goBy(23 * 60)
    expect(at.posts).toHaveLength(6)
    await at.giveWay()
    expect(await at.state()).toMatchObject({ status: 'abandoned' })
    await repeatEachMinute(60)
    expect(at.posts).toHaveLength(6)
  }, 60_000)

  it('whose answer is under way when its handshake ends hears of the end all the same', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    at.world.hangs = promise
    await at.request()
    await at.goBy(6)
    expect(at.posts).toHaveLength(1)
    await at.giveWay()
    at.world.hangs = undefined
    at.world.answers = () => null
    resolve()
    await eventually(() => expect(at.posts).toHaveLength(2))
    await repeatEachMinute(60)
    expect(at.posts).toHaveLength(4)
  }, 60_000)
})

const repeatEachMinute = async (minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute++) {
    await at.goBy(1, MINUTE_MS)
    await at.repeat()
  }
  await at.goBy(5)
}
