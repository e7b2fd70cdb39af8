// Several phones in one process: each a Credo wallet with storage and keys, and an address of its own or a mediator.
import { hash } from 'node:crypto'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import { createWallet, type WalletOptions } from '../../sdk/wallet/create-wallet.ts'
import type { HolderEvent } from '../../sdk/wallet/holder-messages.ts'
import { MediatedHolder, type MediatedOptions } from '../../sdk/wallet/mediated-holder.ts'
import type { WalletAgent } from '../../sdk/wallet/wallet-agent.ts'
import { sendToStarter } from '../harness/module-host.ts'

export type PhoneEvent = { readonly phone: number; readonly kind: string; readonly state: string }

/** What one wallet has received, and what it has at the end. */
export type PhoneReport = {
  /** Messages that carried a credential, in order: of which exchange, and what exactly it was. */
  readonly received: readonly { readonly threadId: string; readonly sha256: string }[]
  readonly held: readonly { readonly name: string }[]
  readonly failures: readonly string[]
}

type Phone = {
  readonly agent: () => WalletAgent
  readonly mediated: MediatedHolder | null
  readonly connect: (invitationUrl: string) => Promise<void>
  readonly close: () => Promise<void>
  readonly notes: Notes
}

type Notes = { readonly received: PhoneReport['received'][number][]; readonly failures: string[] }

const CREDENTIAL_MESSAGE = 'https://didcomm.org/issue-credential/2.0/issue-credential'
const CONNECT_TIMEOUT_MS = 10 * 60_000

const phones = new Map<number, Phone>()

const phoneOf = (number: number): Phone => {
  const phone = phones.get(number)
  if (!phone) throw new Error(`phone ${number} was not opened`)
  return phone
}

/** A phone with an address of its own. */
export const open = async (number: number, options: WalletOptions): Promise<void> => {
  const wallet = await createWallet(options)
  const notes = newNotes()
  watch(number, wallet.agent, notes)
  const connectTo = async (invitationUrl: string): Promise<void> => {
    const { oob, connections } = wallet.agent.didcomm
    const { connectionRecord } = await oob.receiveInvitationFromUrl(invitationUrl, { label: 'Phone' })
    if (!connectionRecord) throw new Error('the invitation led to no connection')
    await connections.returnWhenIsConnected(connectionRecord.id, { timeoutMs: CONNECT_TIMEOUT_MS })
  }
  const close = () => wallet.close()
  phones.set(number, { agent: () => wallet.agent, mediated: null, connect: connectTo, close, notes })
}

/** A phone that is reached through the mediator alone. */
export const openMediated = async (
  number: number,
  options: MediatedOptions,
  mediatorInvitationUrl: string,
): Promise<void> => {
  const notes = newNotes()
  const turnedOn = (agent: WalletAgent): void => watch(number, agent, notes)
  const mediated = await MediatedHolder.open({ ...options, turnedOn })
  phones.set(number, {
    agent: () => mediated.agent,
    mediated,
    connect: async (invitationUrl) => void (await mediated.connect(invitationUrl)),
    close: () => mediated[Symbol.asyncDispose](),
    notes,
  })
  await mediated.register(mediatorInvitationUrl)
}

const newNotes = (): Notes => ({ received: [], failures: [] })

const watch = (number: number, agent: WalletAgent, { received, failures }: Notes): void => {
  // Before Credo looks at it, so that repetitions which Credo refuses are recorded too.
  agent.didcomm.registerMessageHandlerMiddleware(async ({ message }, next) => {
    if (message.type === CREDENTIAL_MESSAGE) {
      const content = JSON.stringify((message.toJSON() as Record<string, unknown>)['credentials~attach'])
      received.push({ threadId: message.threadId, sha256: hash('sha256', content) })
    }
    await next()
  })
  const tell = ({ kind, threadId, state }: HolderEvent): void => {
    if (state.startsWith('failed')) failures.push(`${kind} ${threadId} ${state}`)
    sendToStarter({ phone: number, kind, state } satisfies PhoneEvent)
  }
  void new AutomaticHolder({ agent }, { offers: 'accept', proofs: 'accept' }, tell)
}

export const connect = (number: number, url: string): Promise<void> => phoneOf(number).connect(url)

export const disturb = (number: number, how: 'drop' | 'stall'): number => {
  const { mediated } = phoneOf(number)
  if (mediated === null) return 0
  return how === 'drop' ? mediated.dropSockets() : mediated.stallSockets()
}

export const close = async (number: number): Promise<void> => {
  const phone = phoneOf(number)
  phones.delete(number)
  await phone.close()
}

export const report = async (number: number): Promise<PhoneReport> => {
  const { agent, notes } = phoneOf(number)
  const credentials = await agent().modules.anoncreds.getCredentials({})
  const held = credentials.map(({ attributes }) => ({ name: String(attributes['name']) }))
  return { ...notes, held }
}
