// A holder whose app has the SDK, and answers offers and requests by itself.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createSdk, folderStorage } from '../../sdk/node/development.ts'
import { type Backend, createWallet } from './installations.ts'

/** As the other holder does; in the wild ten seconds. */
const POLL_MS = 250

const sdk = createSdk()
const count = { received: 0, proved: 0 }
const failures: string[] = []

export async function start(backend: Backend): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-bench-wallet-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const installation = randomUUID()
  await sdk.background()
  await sdk.initialize({
    baseUrl: backend.url,
    storage: folderStorage(folder),
    tokenProvider: () => createWallet(backend, installation),
  })
  const noted = (error: Error): void => void failures.push(error.message)
  sdk.on('offerChanged', ({ id, state }) => {
    if (state === 'offered') sdk.offers.accept(id).catch(noted)
  })
  sdk.on('credentialReceived', () => {
    count.received += 1
  })
  sdk.on('proofRequestChanged', ({ id, state }) => {
    if (state === 'requested') sdk.proofRequests.present(id).catch(noted)
    if (state === 'done') count.proved += 1
  })
}

export async function connect(url: string): Promise<void> {
  await sdk.receiveInvitation(url)
}

export const receive = (wanted: number): Promise<void> => untilMore('received', wanted)
export const prove = (wanted: number): Promise<void> => untilMore('proved', wanted)

const untilMore = async (what: keyof typeof count, wanted: number): Promise<void> => {
  const end = count[what] + wanted
  while (count[what] < end) {
    await sdk.sync()
    if (failures[0] !== undefined) throw new Error(failures[0])
    if (count[what] < end) await pause(POLL_MS)
  }
}
