import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BodyPorts, keepBody } from '../../src/actors/bodies.ts'
import { connection } from '../../src/actors/connection/rules.ts'
import { credential, type CredentialTypes } from '../../src/actors/credential/rules.ts'
import type { CredentialCommand } from '../../src/actors/credential/state.ts'
import { kinds } from '../../src/actors/index.ts'
import type { ApiPorts } from '../../src/actors/kind-ports.ts'
import { proof, type ProofTypes } from '../../src/actors/proof/rules.ts'
import type { ProofCommand } from '../../src/actors/proof/state.ts'
import { openService, type OpenService } from '../../src/compose/service.ts'
import { createKeyPair, seedOf } from '../../src/didcomm/keys.ts'
import { PREFIX } from '../../src/domain/message-prefix.ts'
import { type Ref, shardOfActor } from '../../src/domain/references.ts'
import type { BodyStore } from '../../src/ports/bodies.ts'

/** The service, and what its routes are made of: a test can bring records into any state without a wallet. */
export const openWithPorts = () => {
  let seen: ApiPorts | null = null
  let bodies: BodyStore | null = null
  const open: OpenService = (context) => {
    const [first, ...others] = kinds
    if (first === undefined) throw new Error('there are no kinds')
    const routes: typeof first.routes = (ports) => {
      seen = ports
      return first.routes(ports)
    }
    const definition: typeof first.definition = (ports) => {
      bodies = ports.bodies
      return first.definition(ports)
    }
    return openService(context, [{ ...first, routes, definition }, ...others])
  }
  const ports = (): ApiPorts & BodyPorts => {
    if (seen === null || bodies === null) throw new Error('the service is not open')
    return { ...seen, bodies }
  }
  return { open, ports }
}

/** A text that stands nowhere else. */
export const canary = (what: string): string => `Canary-${what}-${randomUUID()}`

/** Where a wallet takes its messages: counts them, and never answers when it hangs. */
export const walletEndpoint = async (hangs = false) => {
  const heard = { messages: 0 }
  const server = createServer((request, response) => {
    heard.messages += 1
    request.resume()
    if (!hangs) response.writeHead(202).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    heard,
    url: `http://127.0.0.1:${port}/${canary('endpoint')}`,
    close: (): void => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type Order = Pick<ApiPorts, 'actors'> &
  BodyPorts & {
    readonly tenant: string
    /** When the last step of an exchange happened, if not now. */
    readonly lastStepMs?: number
  }

/** A body can be kept only when its record has a key. Commands that stand together are asked at once. */
type Step<Command> = Command | (() => Promise<Command | readonly Command[]>)

/** A connection as a handshake leaves it, and what is personal in it. */
export const seedConnection = async (
  { actors, runtime, tenant }: Order,
  endpoint: string,
  { shard = 7, personal = { theirLabel: canary('label'), theirDid: canary('did') } } = {},
) => {
  const id = connection.newRef(shard, runtime.newId())
  const [own, theirs] = [createKeyPair(), createKeyPair()]
  const at = { atMs: runtime.now() }
  const options = { tenant, timeoutMs: 20_000 }
  const request = {
    type: 'RequestConnection',
    ...at,
    tenant,
    invitationId: 'inv_07aaaaaaaaaa',
    externalId: 'guest-1',
    threadId: runtime.newId(),
    ...personal,
    theirService: { endpoint, recipientKeys: [theirs.publicKeyBase58], routingKeys: [] },
    ownSeed: seedOf(own).toString('base64url'),
    ownKey: own.publicKeyBase58,
    protocol: 'didexchange/1.1',
    prefix: PREFIX,
  } as const
  await actors.ask(id, request, { ...options, commandId: `request ${id}` })
  await actors.ask(
    id,
    { type: 'ReceiveConnectionComplete', ...at },
    { ...options, commandId: `complete ${id}` },
  )
  return {
    id,
    keys: { own, theirs },
    canaries: [personal.theirLabel, personal.theirDid, new URL(endpoint).pathname.slice(1)],
  }
}

/** The states that exchanges can be in, and how many steps lead there. */
const CREDENTIAL_STEPS = [
  'offer',
  'delivered',
  'request',
  'signed',
  'issued',
  'done',
  'declined',
  'abandoned',
] as const
const PROOF_STEPS = ['request', 'delivered', 'presentation', 'done', 'declined', 'abandoned'] as const

export const seedExchanges = async (order: Order, connectionId: string, count: number) => {
  const value = canary('value')
  const ids: string[] = []
  for (let from = 0; from < count; from += 50) {
    const some = Array.from({ length: Math.min(50, count - from) }, (_, index) => from + index)
    ids.push(...(await Promise.all(some.map((index) => seedExchange(order, connectionId, index, value)))))
  }
  return { ids, value }
}

/** So many indices lead to an exchange in each state. */
export const STATES = CREDENTIAL_STEPS.length + PROOF_STEPS.length

/** The indices that lead to one whose end is its last step, and never something that the service does by itself. */
export const FINISHED = [
  ...CREDENTIAL_STEPS.map((step) => step === 'done' || step === 'declined'),
  ...PROOF_STEPS.map((step) => step === 'done' || step === 'declined' || step === 'abandoned'),
].flatMap((isFinished, index) => (isFinished ? [index] : []))

export const seedExchange = (
  order: Order,
  connectionId: string,
  index: number,
  value: string,
): Promise<string> => {
  const step = CREDENTIAL_STEPS[index % STATES]
  if (step !== undefined) return seedCredential(order, connectionId, step, value)
  const proofStep = PROOF_STEPS[(index % STATES) - CREDENTIAL_STEPS.length] ?? 'request'
  return seedProof(order, connectionId, proofStep, value)
}

const dated = <Command>({ lastStepMs }: Order, command: Command, isLast: boolean): Command =>
  isLast && lastStepMs !== undefined ? { ...command, atMs: lastStepMs } : command

/** Takes an exchange through these steps. */
const bring = async <Of extends CredentialTypes | ProofTypes>(
  order: Order,
  id: Ref<Of>,
  steps: readonly Step<Of['command']>[],
): Promise<string> => {
  const { actors, tenant } = order
  for (const [index, step] of steps.entries()) {
    const made = typeof step === 'function' ? await step() : step
    const commands: readonly Of['command'][] = Array.isArray(made) ? made : [made]
    const asked = commands.map((command, at) =>
      actors.ask<Of>(id, dated(order, command, index === steps.length - 1 && at === commands.length - 1), {
        commandId: `${id} ${index}.${at}`,
        tenant,
        timeoutMs: 20_000,
      }),
    )
    await Promise.all(asked)
  }
  return id
}

const seedCredential = async (
  order: Order,
  connectionId: string,
  last: (typeof CREDENTIAL_STEPS)[number],
  value: string,
): Promise<string> => {
  const { runtime, tenant } = order
  const id = credential.newRef(shardOfActor(connectionId), runtime.newId())
  const at = { atMs: runtime.now() }
  const from = { ...at, prefix: PREFIX, from: connectionId } as const
  const offered = {
    type: 'OfferCredential',
    ...at,
    tenant,
    connectionId,
    externalId: 'order-1',
    definition: { catalogueId: 'def_07aaaaaaaaaa', ledgerId: 'x' },
    threadId: id,
    nonce: '1',
    attributes: { name: value },
  } as const
  const delivered = { type: 'RecordOfferDelivered', ...at } as const
  const requested = async (): Promise<CredentialCommand> => ({
    type: 'ReceiveCredentialRequest',
    ...from,
    request: await keepBody(order, id, '{}'),
  })
  const made = async (): Promise<CredentialCommand> => ({
    type: 'RecordCredentialSigned',
    ...at,
    credential: await keepBody(order, id, '{}'),
  })
  const steps: Record<(typeof CREDENTIAL_STEPS)[number], readonly Step<CredentialCommand>[]> = {
    offer: [],
    delivered: [delivered],
    request: [delivered, requested],
    signed: [],
    issued: [],
    done: [],
    declined: [delivered, { type: 'ReceiveCredentialProblem', ...from, code: 'c', text: value }],
    abandoned: [],
  }
  const signed = [...steps.request, made]
  const issued = [...signed, { type: 'RecordCredentialDelivered', ...at } as const]
  steps.signed = signed
  steps.issued = issued
  steps.done = [...issued, { type: 'ReceiveCredentialAck', ...from }]
  steps.abandoned = [...steps.request, { type: 'RecordSigningRefused', ...at, reason: 'It does not fit.' }]
  return bring(order, id, [offered, ...steps[last]])
}

const seedProof = async (
  order: Order,
  connectionId: string,
  last: (typeof PROOF_STEPS)[number],
  value: string,
): Promise<string> => {
  const { runtime, tenant } = order
  const id = proof.newRef(shardOfActor(connectionId), runtime.newId())
  const at = { atMs: runtime.now() }
  const from = { ...at, prefix: PREFIX, from: connectionId } as const
  const asked = {
    type: 'RequestProof',
    ...at,
    tenant,
    connectionId,
    externalId: 'entry-1',
    proofTemplateId: 'tpl_07aaaaaaaaaa',
    threadId: id,
    request: '{}',
  } as const
  const delivered = { type: 'RecordProofRequestDelivered', ...at } as const
  const presented = async (): Promise<ProofCommand> => ({
    type: 'ReceivePresentation',
    ...from,
    presentation: await keepBody(order, id, JSON.stringify({ value })),
  })
  const verified = {
    type: 'RecordProofVerified',
    ...at,
    verified: true,
    disclosed: { person: { name: value } },
  } as const
  const problem = { type: 'ReceiveProofProblem', ...from, code: 'c', text: value } as const
  const steps: Record<(typeof PROOF_STEPS)[number], readonly Step<ProofCommand>[]> = {
    request: [],
    delivered: [delivered],
    presentation: [delivered, presented],
    done: [delivered, presented, verified],
    declined: [delivered, problem],
    // Given up by its holder, who has presented already, before what was presented is looked at.
    abandoned: [delivered, async () => [await presented(), problem]],
  }
  return bring(order, id, [asked, ...steps[last]])
}
