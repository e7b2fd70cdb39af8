// An app in a process of its own, which does one thing and gets SIGKILL at a given point of it.
import { flushCompileCache } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { Life, mortalPlatform, mortalStorage } from './mortal-platform.ts'
import { sdkOn } from '../../sdk/core/development.ts'
import { folderStorage } from '../../sdk/node/folder-storage.ts'

export type KilledApp = {
  readonly baseUrl: string
  readonly folder: string
  readonly walletToken: string
  readonly does: 'accept' | 'present' | 'sync'
  /** Offers that are there in the end, for one that syncs. */
  readonly waiting: number
  /** Counted from its start. */
  readonly point: number
}

const { baseUrl, folder, walletToken, does, waiting, point } = JSON.parse(
  process.argv[2] ?? '{}',
) as KilledApp

const LOOK_EVERY_MS = 250

const kill = (): never => {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('SIGKILL did not end it')
}

// After SIGKILL nobody would write it, and each app would compile all of Credo again.
flushCompileCache()
const life = new Life(point, kill)
const sdk = sdkOn(mortalPlatform(life))
void sdk.background()
await sdk.initialize({
  baseUrl,
  tokenProvider: async () => walletToken,
  storage: mortalStorage(folderStorage(folder), life),
})
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) {
    await sdk.sync()
    if (!(await isSo())) await pause(LOOK_EVERY_MS)
  }
}
const offers = sdk.offers.list
const requests = sdk.proofRequests.list

if (does === 'sync') await until(async () => (await offers()).length >= waiting)
if (does === 'accept') {
  await until(async () => (await offers()).length > 0)
  for (const { id, state } of await offers()) if (state === 'offered') await sdk.offers.accept(id)
  await until(async () => (await offers()).length === 0)
}
if (does === 'present') {
  await until(async () => (await requests()).length > 0)
  for (const { id, state } of await requests()) if (state === 'requested') await sdk.proofRequests.present(id)
  await until(async () => (await requests()).length === 0)
}
await sdk.close()
