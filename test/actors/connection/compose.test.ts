import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { actorsThat } from '../../host/parts/actors-that.ts'
import { describe, expect, it } from 'vitest'
import { createRuntime } from '../../../src/host/runtime.ts'
import { lateActors } from '../../../src/compose/late-actors.ts'
import { composeWallets } from '../../../src/actors/connection/compose.ts'
import { pack, unpack } from '../../../src/didcomm/envelope.ts'
import { createKeyPair, seedOf } from '../../../src/didcomm/keys.ts'
import { composeMessage } from '../../../src/didcomm/message.ts'
import { documentFor, longFormDid } from '../../../src/didcomm/peer-did.ts'
import { Outbound } from '../../../src/egress/outbound.ts'

const wallets = composeWallets({
  actors: lateActors(),
  runtime: createRuntime(),
  outbound: new Outbound({ allowPrivateTargets: false, socketsPerHostMax: 1 }),
  askTimeoutMs: 100,
  publicUrl: () => 'https://here.example',
})

describe('what wallets meet', () => {
  it('an invitation names the address under which it is answered', () => {
    const { publicKey } = wallets.newKey()
    const url = new URL(wallets.invitationUrl({ id: 'inv_00aaaaaaaa', label: 'Registry', key: publicKey }))
    expect(url.pathname).toBe('/i/inv_00aaaaaaaa')
    const message = JSON.parse(
      Buffer.from(url.searchParams.get('oob') ?? '', 'base64url').toString(),
    ) as object
    expect(message).toMatchObject({
      label: 'Registry',
      services: [{ serviceEndpoint: 'https://here.example/didcomm/inv_00aaaaaaaa' }],
    })
  })

  it('a message to nobody is refused, one to an actor that cannot be asked now is to come again', async () => {
    expect(await wallets.receive('nonsense', '{}')).toBe('refused')
    await expect(wallets.receive('con_00aaaaaaaa', '{}')).rejects.toMatchObject({ retryable: true })
  })

  it('a second holder of an invitation for one is refused, and is told so at its own address', async () => {
    const [wallet, invitation] = [createKeyPair(), createKeyPair()]
    const heard = Promise.withResolvers<string>()
    const server = createServer((request, response) => {
      void text(request).then(heard.resolve)
      response.writeHead(202).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const id = 'inv_00aaaaaaaa'
    const ownSeed = seedOf(invitation).toString('base64url')
    const used: Record<string, unknown> = {
      ReadInvitation: { invitation: { tenant: 't', externalId: null, ownSeed } },
      AdmitHolder: { refused: 'invitation_used' },
    }
    const actors = actorsThat({
      ask: (_: string, command: unknown) => Promise.resolve(used[(command as { type: string }).type]),
    })
    const outbound = new Outbound({ allowPrivateTargets: true, socketsPerHostMax: 1 })
    const publicUrl = () => 'https://here.example'
    const { receive } = composeWallets({
      actors,
      runtime: createRuntime(),
      outbound,
      askTimeoutMs: 100,
      publicUrl,
    })
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const recipientKeys = [wallet.publicKeyBase58]
    const request = composeMessage({
      id: 'request',
      type: 'didexchange/1.1/request',
      thread: { thid: 'request', pthid: id },
      did: longFormDid(documentFor({ endpoint, recipientKeys, routingKeys: [] })),
    })
    expect(await receive(id, pack(request, [invitation.publicKeyBase58], wallet))).toBe('refused')
    const { message, senderKey } = unpack(await heard.promise, () => wallet)
    expect(JSON.parse(message)).toMatchObject({
      '@type': 'https://didcomm.org/didexchange/1.1/problem-report',
      '~thread': { thid: 'request' },
    })
    expect(senderKey).toBe(invitation.publicKeyBase58)
    server.close()
  })
})
