import { AnonCredsRefused, type AnonCreds, type PresentationInput } from '../../src/ports/anoncreds.ts'
import { keepBody } from '../../src/actors/bodies.ts'
import { connectionKind } from '../../src/actors/connection/index.ts'
import type { Kind } from '../../src/actors/define-kind.ts'
import type { KindPorts } from '../../src/actors/kind-ports.ts'
import type { Catalogue } from '../../src/actors/credential-definition/catalogue.ts'
import { credentialKind } from '../../src/actors/credential/index.ts'
import { invitationKind } from '../../src/actors/invitation/index.ts'
import { proofKind } from '../../src/actors/proof/index.ts'
import { createOwnKey } from '../../src/didcomm/keys.ts'
import { type Message, parseMessage } from '../../src/didcomm/message.ts'
import { PREFIX } from '../../src/domain/message-prefix.ts'
import type { Deliver, Recipient } from '../../src/ports/wallets.ts'
import { givenPorts } from './given-ports.ts'
import { kindsOnHost } from './kinds-on-host.ts'

export const tenant = 'ten_00aaaaaaaa'
export const invitationId = 'inv_00aaaaaaaa'
export const connectionId = 'con_00aaaaaaaa'
export const credentialId = 'cre_00aaaaaaaa'
export const proofId = 'pro_00aaaaaaaa'
export const publicUrl = 'https://issuer.example'
const exchangeKinds = [invitationKind, connectionKind, credentialKind, proofKind]

/** Of the invitation, and of the connection that answered it. */
export const [invitationKey, connectionKey] = [createOwnKey(), createOwnKey()]

export const issuing = {
  catalogueId: 'def_00aaaaaaaa',
  ledgerId: 'D:3:CL:1:default',
  schemaLedgerId: 'D:2:degree:1.0',
  attributes: ['name'],
  publicPart: '{"public":1}',
  keyCorrectnessProof: '{"c":"1"}',
}

type MoreKinds = { readonly kinds?: readonly Kind[]; readonly ports?: Partial<KindPorts> }

/** Exchange actors on a real host; wallets, catalogue and cryptography are played by what each test says. */
export const exchangeWorld = async ({ kinds = [], ports: more = {} }: MoreKinds = {}) => {
  const sent: { readonly to: Recipient; readonly message: Message }[] = []
  const world = {
    walletAway: false,
    requestIsBad: false,
    verified: true,
    issuerKnown: true,
    signatures: 0,
    verifications: [] as PresentationInput[],
    /** How often each type of message was tried. */
    attempts: {} as Record<string, number>,
    /** What all attempts at one message have in common, by its type. */
    sendings: {} as Record<string, Set<string>>,
    whileComputing: (): Promise<undefined> => Promise.resolve(undefined),
    afterSending: (_type: string): Promise<void> => Promise.resolve(),
  }
  const deliver: Deliver = async (to, text, _signal, sending) => {
    const message = parseMessage(text)
    if (message === null) throw new Error('no message')
    world.attempts[message.type] = (world.attempts[message.type] ?? 0) + 1
    ;(world.sendings[message.type] ??= new Set()).add(sending)
    if (world.walletAway) throw new Error('away')
    sent.push({ to, message })
    await world.afterSending(message.type)
  }
  const catalogue: Catalogue = {
    definition: async () => ({ status: 'published', issuing }),
    issuing: async () => issuing,
    privatePart: async () => '{"private":1}',
    forVerifying: async () => (world.issuerKnown ? { schema: '{}', definition: '{}' } : null),
  }
  const anoncreds: AnonCreds = {
    createCredential: async (_tenant, { values }) => {
      await world.whileComputing()
      if (world.requestIsBad) throw new AnonCredsRefused('no')
      world.signatures += 1
      return JSON.stringify({ signed: values, n: world.signatures })
    },
    verifyPresentation: async (_tenant, input) => {
      await world.whileComputing()
      world.verifications.push(input)
      return world.verified
    },
    generateDefinition: () => Promise.reject(new Error('not here')),
  }
  const host = await kindsOnHost(({ actors, ...inside }) => {
    const outside = { deliver, catalogue, anoncreds, publicUrl: () => publicUrl }
    const ports = givenPorts({ actors, ...inside, ...outside, ...more })
    return [...exchangeKinds, ...kinds].map((kind) => kind.definition(ports))
  })
  /** What a message of the holder would enclose. */
  const keep = (record: string, text: string) => keepBody(host, record, text)
  return { ...host, world, sent, keep, ask: host.askAs(tenant) }
}

export type ExchangeWorld = Awaited<ReturnType<typeof exchangeWorld>>

export const connect = async ({ ask }: ExchangeWorld): Promise<void> => {
  const created = {
    tenant,
    label: 'Registry',
    multiUse: false,
    alias: null,
    externalId: null,
    ...invitationKey,
  }
  await ask(invitationId, { type: 'CreateInvitation', atMs: 1, ...created })
  await ask(connectionId, {
    type: 'RequestConnection',
    atMs: Date.now(),
    tenant,
    invitationId,
    externalId: null,
    threadId: 'thread',
    theirLabel: 'Phone of Ada',
    theirDid: 'did:peer:4z',
    theirService: { endpoint: 'https://wallet.example', recipientKeys: ['k'], routingKeys: [] },
    ...connectionKey,
    protocol: 'didexchange/1.1',
    prefix: PREFIX,
  })
  await ask(connectionId, { type: 'ReceiveConnectionComplete', atMs: Date.now() })
}

export const offer = ({ ask, runtime }: ExchangeWorld) =>
  ask(credentialId, {
    type: 'OfferCredential',
    atMs: runtime.now(),
    tenant,
    connectionId,
    externalId: 'order-1',
    definition: { catalogueId: issuing.catalogueId, ledgerId: issuing.ledgerId },
    threadId: credentialId,
    nonce: '42',
    attributes: { name: 'Ada Lovelace' },
  })
