import { AutomaticHolder } from './automatic-holder.ts'
import type { Wallet } from './create-wallet.ts'
import { createWallet } from './create-wallet.ts'
import type { FromHolder, ToHolder } from './holder-messages.ts'

/** One phone: a wallet in a process of its own, told what to do by its starter. */
let wallet: Wallet | null = null
let holder: AutomaticHolder | null = null
let label = ''

const CONNECT_TIMEOUT_MS = 60_000

const tell = (message: FromHolder): void => void process.send?.(message)

const work = async (order: ToHolder): Promise<unknown> => {
  if (order.do === 'start') {
    wallet = await createWallet(order.options)
    label = order.options.label
    holder = new AutomaticHolder(wallet, order, (event) => tell({ event }))
    return wallet.endpoint
  }
  if (!wallet || !holder) throw new Error('the wallet has not been started')
  switch (order.do) {
    case 'policy':
      holder.offers = order.offers
      holder.proofs = order.proofs
      return null
    case 'connect': {
      const { oob, connections } = wallet.agent.didcomm
      const { connectionRecord } = await oob.receiveInvitationFromUrl(order.url, { label })
      if (!connectionRecord) throw new Error('the invitation led to no connection')
      const { id } = await connections.returnWhenIsConnected(connectionRecord.id, {
        timeoutMs: CONNECT_TIMEOUT_MS,
      })
      return id
    }
    case 'offline':
      wallet.inbound.offline = order.offline
      return null
    case 'credentials': {
      const held = await wallet.agent.modules.anoncreds.getCredentials({})
      return held.map(({ attributes, credentialDefinitionId }) => ({ attributes, credentialDefinitionId }))
    }
    case 'stop':
      await wallet.close()
      return null
  }
}

process.on('message', (order: ToHolder) => {
  void work(order).then(
    (value) => {
      tell({ call: order.call, value: value ?? null })
      if (order.do === 'stop') process.disconnect()
    },
    (error: unknown) =>
      tell({ call: order.call, failed: error instanceof Error ? error.message : String(error) }),
  )
})
// Whoever started the phone is gone: nobody would ever stop it.
process.on('disconnect', () => process.exit(0))
