import { LateComers } from '../../src/actors/invitation/late-comers.ts'
import { setImmediate } from 'node:timers/promises'
import { kinds } from '../../src/actors/index.ts'
import { KindTables } from '../../src/actors/tables.ts'
import { pack } from '../../src/didcomm/envelope.ts'
import { createKeyPair, seedOf } from '../../src/didcomm/keys.ts'
import { ProblemReporter } from '../../src/didcomm/problem-reporter.ts'
import type { TooMany } from '../../src/didcomm/opened-envelope.ts'
import { isRefused, refuse } from '../../src/domain/decider.ts'
import { kindOf } from '../../src/domain/references.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import type { Recipient } from '../../src/ports/wallets.ts'
import { actorsThat } from '../host/parts/actors-that.ts'
import { MemoryBodies } from '../host/parts/memory-bodies.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'
import { noMediator } from './no-mediator.ts'

export const own = createKeyPair()
export const wallet = createKeyPair()
export const stranger = createKeyPair()
export const ownSeed = seedOf(own).toString('base64url')
export const invitationId = 'inv_00aaaaaaaaaa'
export const connectionId = 'con_00aaaaaaaaaa'
export const credentialId = 'cre_00aaaaaaaaaa'
export const proofId = 'pro_00aaaaaaaaaa'
export const theirService = {
  endpoint: 'https://wallet.example',
  recipientKeys: [wallet.publicKeyBase58],
  routingKeys: [],
}

type Command = { readonly type: string }

type Report = {
  readonly '@type': string
  readonly description?: { readonly code: string; readonly en: string }
}

const records: Readonly<Record<string, object>> = {
  inv: { tenant: 'ten_1', externalId: 'x', ownSeed, multiUse: true, winner: null },
  con: { tenant: 'ten_1', ownSeed, theirService, formats: ['anoncreds'], protocol: 'didexchange/1.1' },
  cre: { status: 'offer-sent', connectionId },
  pro: { status: 'request-sent', connectionId },
}
const unknown = refuse('not_found', 'r')
/** Its reply is the record, which has the new DID then. */
const replyTo = (command: Command): object => (command.type === 'RotateDid' ? command : {})
/** Where a wallet writes from. */
export const from = '192.0.2.1'

/** An invitation and a connection that answer as their actors would; everything that is read and asked is kept. */
export const inboundWorld = (
  answers: Readonly<Record<string, unknown>> = {},
  connectionStatus: string | (() => string) = 'completed',
  connections: readonly string[] = [connectionId],
) => {
  const asked: { actor: string; command: Command; commandId: string }[] = []
  const read: string[] = []
  const reported: {
    readonly to: Recipient
    readonly type: string
    readonly code: string
    readonly text: string
  }[] = []
  const ask = (actor: string, command: Command, { commandId }: { commandId: string }) => {
    asked.push({ actor, command: { ...command }, commandId })
    const answer = answers[command.type] ?? replyTo(command)
    return Promise.resolve().then(() =>
      typeof answer === 'function' ? (answer as (to: object) => unknown)(command) : answer,
    )
  }
  const actors = actorsThat({
    read: (actor: string) => {
      read.push(actor)
      const record = answers[kindOf(actor)] ?? records[kindOf(actor)]
      if (kindOf(actor) !== 'con') return record
      // A wallet that begins to connect has no connection yet.
      const status = typeof connectionStatus === 'string' ? connectionStatus : connectionStatus()
      return connections.includes(actor) ? { status, ...record } : unknown
    },
    ask,
    askAtomically: async (
      parts: readonly { to: string; command: Command }[],
      options: { commandId: string },
    ) => {
      const replies: unknown[] = []
      for (const { to, command } of parts) {
        const reply = await ask(to, command, options)
        if (isRefused(reply)) return reply
        replies.push(reply)
      }
      return replies
    },
  })
  const said: { readonly to: Recipient; readonly message: Readonly<Record<string, unknown>> }[] = []
  const reporter = new ProblemReporter(async (to, text) => {
    if (answers['reports'] === 'hang') await new Promise(() => {})
    const message = JSON.parse(text) as Report & Readonly<Record<string, unknown>>
    said.push({ to, message })
    const { description, '@type': type } = message
    if (description !== undefined) reported.push({ to, type, code: description.code, text: description.en })
  })
  const bodies = new MemoryBodies()
  const vault = new MemoryVault()
  for (const record of [credentialId, proofId]) vault.keys.add(record)
  /** Every body that was ever kept, by its id. */
  const sealed = new Map<string, string>()
  bodies.afterPut = () => {
    for (const [name, text] of bodies.kept) sealed.set(name.slice(name.indexOf('/') + 1), text)
  }
  const { receive, isKnown } = new KindTables(kinds).inboundOf({
    actors,
    runtime: { ...createRuntime(), now: () => 7 },
    vault,
    bodies,
    reporter,
    allowPrivateTargets: false,
    handshakes: {
      refusal: async () => (answers['refusal'] as TooMany | null) ?? null,
      begin: () => (answers['begin'] as TooMany | null) ?? null,
    },
    lateComers: new LateComers(createRuntime()),
    mediator: answers['isOurs'] === true ? { ...noMediator, keepsFor: () => true } : noMediator,
  })
  return {
    asked,
    bodies,
    sealed,
    vault,
    read,
    receive,
    isKnown,
    send: (address: string, message: string, sender: typeof wallet | null = wallet, to = own) =>
      receive(address, pack(message, [to.publicKeyBase58], sender), from),
    /** Every short answer, problem reports among them. */
    said: async () => {
      await setImmediate()
      return said
    },
    /** Nobody waits for problem reports, so they are on their way when a message has been received. */
    reports: async () => {
      await setImmediate()
      return reported
    },
  }
}
