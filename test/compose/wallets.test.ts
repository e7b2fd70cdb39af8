import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { AskFailed, type Actors } from '../../src/ports/actors.ts'
import { kinds } from '../../src/actors/index.ts'
import { LateComers } from '../../src/actors/invitation/late-comers.ts'
import { KindTables } from '../../src/actors/tables.ts'
import { deliverByHttp } from '../../src/compose/service.ts'
import { pack, unpack } from '../../src/didcomm/envelope.ts'
import { createKeyPair, seedOf } from '../../src/didcomm/keys.ts'
import { composeMessage } from '../../src/didcomm/message.ts'
import { documentFor, longFormDid } from '../../src/didcomm/peer-did.ts'
import { nothingInside } from '../../src/didcomm/deliver.ts'
import { ProblemReporter } from '../../src/didcomm/problem-reporter.ts'
import { refuse } from '../../src/domain/decider.ts'
import { OLD_PREFIX } from '../../src/domain/message-prefix.ts'
import { Outbound } from '../../src/egress/outbound.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { actorsThat } from '../host/parts/actors-that.ts'
import { MemoryBodies } from '../host/parts/memory-bodies.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'
import { noMediator } from '../actors/no-mediator.ts'

const runtime = createRuntime()
const from = '192.0.2.1'
const lateComers = new LateComers(runtime)
const handshakes = { refusal: async () => null, begin: () => null }
const receiver = (actors: Actors, allowPrivateTargets: boolean) => {
  const outbound = new Outbound({ allowPrivateTargets, socketsPerHostMax: 1 })
  const reporter = new ProblemReporter(deliverByHttp(outbound, runtime, nothingInside))
  return new KindTables(kinds).inboundOf({
    actors,
    runtime,
    vault: new MemoryVault(),
    bodies: new MemoryBodies(),
    reporter,
    handshakes,
    lateComers,
    mediator: noMediator,
    allowPrivateTargets,
  }).receive
}

const away = new AskFailed('unavailable', 'the actors are away', 100)

describe('what wallets meet', () => {
  it('a message to nobody is refused, one to an actor that cannot be asked now is to come again', async () => {
    const receive = receiver(actorsThat({ read: () => Promise.reject(away) }), false)
    expect(await receive('nonsense', '{}', from)).toBe('refused')
    const envelope = pack('{}', [createKeyPair().publicKeyBase58], createKeyPair())
    await expect(receive('con_00aaaaaaaa', envelope, from)).rejects.toMatchObject({ retryable: true })
  })

  it('a second holder of an invitation for one hears so at its own address, and need not ask again', async () => {
    const [wallet, invitation] = [createKeyPair(), createKeyPair()]
    const heard = Promise.withResolvers<string>()
    const server = createServer((request, response) => {
      void text(request).then(heard.resolve)
      response.writeHead(202).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const id = 'inv_00aaaaaaaa'
    const actors = actorsThat({
      read: (actor: string) =>
        actor === id
          ? { tenant: 't', externalId: null, ownSeed: seedOf(invitation).toString('base64url') }
          : refuse('not_found', 'r'),
      askAtomically: () => Promise.resolve(refuse('connection_not_ready', 'used')),
    })
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const recipientKeys = [wallet.publicKeyBase58]
    const request = composeMessage({
      id: 'request',
      prefix: OLD_PREFIX,
      type: 'didexchange/1.0/request',
      thread: { thid: 'request', pthid: id },
      did: longFormDid(documentFor({ endpoint, recipientKeys, routingKeys: [] })),
    })
    const envelope = pack(request, [invitation.publicKeyBase58], wallet)
    expect(await receiver(actors, true)(id, envelope, from)).toBe('accepted')
    const { message, senderKey } = unpack(await heard.promise, () => wallet)
    expect(JSON.parse(message)).toMatchObject({
      '@type': `${OLD_PREFIX}didexchange/1.0/problem_report`,
      '@id': 'request.problem',
      '~thread': { thid: 'request' },
      description: { code: 'request_not_accepted' },
      'problem-code': 'request_not_accepted',
    })
    expect(senderKey).toBe(invitation.publicKeyBase58)
    server.close()
  })
})
