// An app in a process of its own, which does one thing and gets SIGKILL at a given point of it.
import { Life, mortalPlatform, mortalStorage } from './mortal-platform.ts'
import { sdkOn } from '../../sdk/core/development.ts'
import { folderStorage } from '../../sdk/node/folder-storage.ts'

export type KilledApp = {
  readonly baseUrl: string
  readonly folder: string
  readonly walletToken: string
  readonly does: 'accept' | 'present' | 'sync'
  /** Counted from its start. */
  readonly point: number
}

const { baseUrl, folder, walletToken, does, point } = JSON.parse(process.argv[2] ?? '{}') as KilledApp

const kill = (): never => {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('SIGKILL did not end it')
}

const life = new Life(point, kill)
const sdk = sdkOn(mortalPlatform(life))
void sdk.background()
await sdk.initialize({
  baseUrl,
  tokenProvider: async () => walletToken,
  storage: mortalStorage(folderStorage(folder), life),
})
await sdk.sync()
if (does === 'accept')
  for (const { id, state } of await sdk.offers.list()) if (state === 'offered') await sdk.offers.accept(id)
if (does === 'present')
  for (const { id, state } of await sdk.proofRequests.list())
    if (state === 'requested') await sdk.proofRequests.present(id)
await sdk.sync()
await sdk.close()
process.stdout.write('done')
