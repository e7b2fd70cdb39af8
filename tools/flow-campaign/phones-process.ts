// Several phones in one process: each a Credo wallet with storage, keys and an address of its own.
import { createHash } from 'node:crypto'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import { createWallet, type Wallet, type WalletOptions } from '../../sdk/wallet/create-wallet.ts'
import type { FromPhones, PhoneReport, ToPhones } from './phones-messages.ts'

type Phone = {
  readonly wallet: Wallet
  readonly holder: AutomaticHolder
  readonly received: PhoneReport['received'][number][]
  readonly failures: string[]
}

const CREDENTIAL_MESSAGE = 'https://didcomm.org/issue-credential/2.0/issue-credential'
const CONNECT_TIMEOUT_MS = 10 * 60_000

const phones = new Map<number, Phone>()

const tell = (message: FromPhones): void => {
  if (process.connected) process.send?.(message)
}

const open = async (number: number, options: WalletOptions): Promise<null> => {
  const wallet = await createWallet(options)
  const [received, failures]: [Phone['received'], Phone['failures']] = [[], []]
  // Before Credo looks at it, so that repetitions which Credo refuses are recorded too.
  wallet.agent.didcomm.registerMessageHandlerMiddleware(async ({ message }, next) => {
    if (message.type === CREDENTIAL_MESSAGE) {
      const content = JSON.stringify((message.toJSON() as Record<string, unknown>)['credentials~attach'])
      const sha256 = createHash('sha256').update(content).digest('hex')
      received.push({ threadId: message.threadId, sha256 })
    }
    await next()
  })
  const holder = new AutomaticHolder(
    wallet,
    { offers: 'accept', proofs: 'accept' },
    ({ kind, threadId, state }) => {
      if (state.startsWith('failed')) failures.push(`${kind} ${threadId} ${state}`)
      tell({ happened: state })
    },
  )
  phones.set(number, { wallet, holder, received, failures })
  return null
}

const connect = async ({ wallet }: Phone, url: string): Promise<null> => {
  const { oob, connections } = wallet.agent.didcomm
  const { connectionRecord } = await oob.receiveInvitationFromUrl(url, { label: 'Phone' })
  if (!connectionRecord) throw new Error('the invitation led to no connection')
  await connections.returnWhenIsConnected(connectionRecord.id, { timeoutMs: CONNECT_TIMEOUT_MS })
  return null
}

const report = async ({ wallet, received, failures }: Phone): Promise<PhoneReport> => {
  const credentials = await wallet.agent.modules.anoncreds.getCredentials({})
  const held = credentials.map(({ attributes }) => ({ name: String(attributes['name']) }))
  return { received, held, failures }
}

const work = async (order: ToPhones): Promise<unknown> => {
  if (order.do === 'open') return open(order.phone, order.options)
  const phone = phones.get(order.phone)
  if (!phone) throw new Error(`there is no phone ${order.phone}`)
  return order.do === 'connect' ? connect(phone, order.url) : report(phone)
}

process.on('message', (order: ToPhones) => {
  void work(order).then(
    (value) => tell({ call: order.call, value }),
    (error: unknown) =>
      tell({ call: order.call, failed: error instanceof Error ? error.message : String(error) }),
  )
})
// Whoever started the phones has seen enough, or is gone.
process.on('disconnect', () => process.exit(0))
