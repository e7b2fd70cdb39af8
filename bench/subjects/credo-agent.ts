// A Credo agent in the issuer's place, with the storage and the keys of our SDK: Credo's own (Askar) encrypts every
// record and costs more. Everything it keeps is in memory.
import { createWallet, type Wallet } from '../../sdk/wallet/create-wallet.ts'

const POLL_MS = 10
const WAIT_MS = 120_000

let wallet: Wallet | null = null
let completed = 0

export async function start(indyNamespace: string, genesis: string): Promise<void> {
  const place = { databaseFile: ':memory:', host: '127.0.0.1', port: 0, verbose: false }
  wallet = await createWallet({ label: 'Issuer', ...place, indyNamespace, genesis })
  wallet.agent.events.on('ConnectionStateChanged', ({ payload }) => {
    if ((payload['connectionRecord'] as { state?: unknown }).state === 'completed') completed += 1
  })
}

export async function invite(count: number): Promise<string[]> {
  if (!wallet) throw new Error('the agent has not been started')
  const urls: string[] = []
  for (let index = 0; index < count; index += 1) {
    const { oob } = wallet.agent.didcomm
    const { outOfBandInvitation } = await oob.createInvitation({ autoAcceptConnection: true })
    urls.push(outOfBandInvitation.toUrl({ domain: 'https://issuer.example' }))
  }
  return urls
}

/** Resolves when so many connections have been completed since the start. */
export async function connected(total: number): Promise<void> {
  const deadlineMs = performance.now() + WAIT_MS
  for (;;) {
    if (completed >= total) return
    if (performance.now() > deadlineMs) throw new Error(`${completed} of ${total} connections were completed`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
