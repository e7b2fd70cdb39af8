// Several phones in one process: each a Credo wallet with storage, keys and an address of its own.
import { hash } from 'node:crypto'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import { createWallet, type Wallet, type WalletOptions } from '../../sdk/wallet/create-wallet.ts'
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
  readonly wallet: Wallet
  readonly holder: AutomaticHolder
  readonly received: PhoneReport['received'][number][]
  readonly failures: string[]
}

const CREDENTIAL_MESSAGE = 'https://didcomm.org/issue-credential/2.0/issue-credential'
const CONNECT_TIMEOUT_MS = 10 * 60_000

const phones = new Map<number, Phone>()

const phoneOf = (number: number): Phone => {
  const phone = phones.get(number)
  if (!phone) throw new Error(`phone ${number} was not opened`)
  return phone
}

export const open = async (number: number, options: WalletOptions): Promise<void> => {
  const wallet = await createWallet(options)
  const [received, failures]: [Phone['received'], Phone['failures']] = [[], []]
  // Before Credo looks at it, so that repetitions which Credo refuses are recorded too.
  wallet.agent.didcomm.registerMessageHandlerMiddleware(async ({ message }, next) => {
    if (message.type === CREDENTIAL_MESSAGE) {
      const content = JSON.stringify((message.toJSON() as Record<string, unknown>)['credentials~attach'])
      received.push({ threadId: message.threadId, sha256: hash('sha256', content) })
    }
    await next()
  })
  const holder = new AutomaticHolder(
    wallet,
    { offers: 'accept', proofs: 'accept' },
    ({ kind, threadId, state }) => {
      if (state.startsWith('failed')) failures.push(`${kind} ${threadId} ${state}`)
      sendToStarter({ phone: number, kind, state } satisfies PhoneEvent)
    },
  )
  phones.set(number, { wallet, holder, received, failures })
}

export const connect = async (number: number, url: string): Promise<void> => {
  const { oob, connections } = phoneOf(number).wallet.agent.didcomm
  const { connectionRecord } = await oob.receiveInvitationFromUrl(url, { label: 'Phone' })
  if (!connectionRecord) throw new Error('the invitation led to no connection')
  await connections.returnWhenIsConnected(connectionRecord.id, { timeoutMs: CONNECT_TIMEOUT_MS })
}

export const report = async (number: number): Promise<PhoneReport> => {
  const { wallet, received, failures } = phoneOf(number)
  const credentials = await wallet.agent.modules.anoncreds.getCredentials({})
  const held = credentials.map(({ attributes }) => ({ name: String(attributes['name']) }))
  return { received, held, failures }
}
