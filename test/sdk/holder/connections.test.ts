import { DidCommConnectionRepository } from '@credo-ts/didcomm'
import { beforeEach, describe, expect, it } from 'vitest'
import { Connections } from '../../../sdk/core/holder/connections.ts'
import type { Mail } from '../../../sdk/core/mail/mail.ts'
import type { Mediator } from '../../../sdk/core/mail/mediator.ts'
import type { Routes } from '../../../sdk/core/mail/routes.ts'
import { SetupRow } from '../../../sdk/core/mail/setup.ts'
import { nodePlatform } from '../../../sdk/node/platform.ts'
import { invitationOf, walletAgent } from '../wallet-agent.ts'

type TestAgent = Awaited<ReturnType<typeof walletAgent>>
let organisation: TestAgent
let wallet: TestAgent
let connections: Connections

beforeEach(async () => {
  organisation = await walletAgent()
  wallet = await walletAgent()
  let last: Promise<unknown> = Promise.resolve()
  const mail = {
    sync: () => Promise.reject(new Error('away')),
    inTurn: <Result>(work: () => Promise<Result>): Promise<Result> => {
      const mine = last.then(work)
      last = mine.catch(() => undefined)
      return mine
    },
  } as unknown as Mail
  connections = new Connections({
    ...wallet,
    mail,
    mediator: { ready: async () => ({}) } as unknown as Mediator,
    routes: {
      next: async () => ({
        routing: await wallet.rows.step(() => wallet.routing('https://w.example')),
        taken: () => undefined,
      }),
    } as unknown as Routes,
    setup: new SetupRow(wallet.rows),
    isAllowed: (url) => url.startsWith('https://'),
    clock: nodePlatform().clock,
    label: 'Wallet',
  })
})

type Json = Readonly<Record<string, unknown>>

const inline = { id: '#1', type: 'did-communication', serviceEndpoint: 'https://o.example' }
const offer = { '@id': '1', '@type': 'https://didcomm.org/issue-credential/2.0/offer-credential' }
const attached = { '@id': 'a', 'mime-type': 'application/json', data: { json: offer } }

const link = (invitation: object): string =>
  `https://x.example/?oob=${Buffer.from(JSON.stringify(invitation)).toString('base64url')}`
const kindOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'connected',
    ({ kind }: { kind: string }) => kind,
  )

describe('an invitation', () => {
  it('that is tapped twice leads to one connection', async () => {
    const url = link((await invitationOf(organisation)).toJSON())
    const [one, other] = await Promise.all([connections.receive(url), connections.receive(url)])
    expect(other.id).toBe(one.id)
    expect(connections.list()).toHaveLength(1)
  })

  it('with the id of another does not pass for that one', async () => {
    const honest = await invitationOf(organisation)
    const foreign = await invitationOf(await walletAgent())
    const { id } = await connections.receive(link({ ...foreign.toJSON(), '@id': honest.id }))
    expect(await kindOf(connections.receive(link(honest.toJSON())))).toBe('InvalidInvitation')
    expect(connections.list()).toMatchObject([{ id }])
  })

  it.each<[string, (invitation: Json) => Json]>([
    ['a key that is none', () => ({ services: [{ ...inline, recipientKeys: ['did:key:z6MkmjY'] }] })],
    [
      'a DID that has to be fetched',
      ({ services }) => ({ services: [...(services as unknown[]), 'did:web:127.0.0.1%3A1'] }),
    ],
    ['a handshake that nobody knows', () => ({ handshake_protocols: ['https://didcomm.org/unknown/1.0'] })],
    ['a message of its own', () => ({ 'requests~attach': [attached] })],
  ])('with %s is invalid, and nothing is left of it', async (_, changed) => {
    const honest: Json = { ...(await invitationOf(organisation)).toJSON() }
    const invitation = { ...honest, ...changed(honest) }
    expect(await kindOf(connections.receive(link(invitation)))).toBe('InvalidInvitation')
    const repository = wallet.agent.dependencyManager.resolve(DidCommConnectionRepository)
    expect(await repository.getAll(wallet.agent.context)).toEqual([])
    expect(wallet.sent).toEqual([])
  })
})
