import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
// The mortal platform comes first, because it loads the native libraries before Credo.
import { Life, mortalPlatform, mortalStorage, type Surroundings } from './mortal-platform.ts'
import { sdkOn } from '../../sdk/core/development.ts'
import type { Sdk } from '../../sdk/core/sdk.ts'
import { folderStorage } from '../../sdk/node/folder-storage.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { walletFor } from './mediated-phone.ts'
import type { ServiceUnderTest } from './service-under-test.ts'

export { Life } from './mortal-platform.ts'

/** An installation whose app is killed and started again. */
export const killedPhone = (
  service: Pick<ServiceUnderTest, 'url' | 'apiKey' | 'send'>,
  surroundings: Surroundings = {},
) => {
  const installation = randomUUID()
  // One address for its whole life, also where each request of a test goes to another node.
  const baseUrl = service.url()
  const folder = temporaryFolder('vouchsafe-killed')
  let sdk: Sdk | null = null
  const close = async (): Promise<void> => {
    await sdk?.close()
    sdk = null
  }
  onTestFinished(close)
  return {
    life: new Life(),
    baseUrl,
    folder,
    installation,
    /** The app as it runs, or started with another life. */
    async open(life: Life = new Life()): Promise<Sdk> {
      if (sdk !== null) return sdk
      const started = sdkOn(mortalPlatform(life, surroundings))
      sdk = started
      await started.initialize({
        baseUrl,
        tokenProvider: async () => String((await walletFor(service, installation))['walletToken']),
        storage: mortalStorage(folderStorage(folder), life),
      })
      started.background().catch(() => undefined)
      return started
    },
    close,
  }
}

export type KilledPhone = ReturnType<typeof killedPhone>
