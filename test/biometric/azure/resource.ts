import { onTestFinished } from 'vitest'
import { AzureFace } from '../../../src/biometric/azure/azure-face.ts'
import type { Begun, VendorAccount } from '../../../src/ports/face-vendor.ts'
import { captureForAzure } from '../../../tools/vendors/azure/device.ts'
import type { AzureResource } from '../../../tools/vendors/azure/resources.ts'
import { type AzureOrders, startAzure } from '../../../tools/vendors/azure/start-azure.ts'
import { type Scene, scenes } from '../../../tools/vendors/people/camera.ts'
import { ordersAt } from '../../../tools/vendors/wire/orders.ts'
import { checksWith, type Wanted, wayOut } from '../checks.ts'

export const OURS: AzureResource = { name: 'contoso', keys: ['a-key-of-ours'], isApproved: true }
const THEIRS: AzureResource = { name: 'fabrikam', keys: ['a-key-of-theirs'], isApproved: true }

export const enteredFor = (endpoint: string, key = 'a-key-of-ours'): VendorAccount => ({
  settings: { endpoint },
  credentials: { key },
})

export const begunIn = (begun: Begun): { readonly sessionId: string; readonly authToken: string } => {
  if (begun.kind !== 'begun' || begun.device.vendor !== 'azure_face')
    throw new Error(`no session was begun: ${JSON.stringify(begun)}`)
  return { sessionId: begun.sessionId, authToken: begun.device.authToken }
}

/** The Face API with two resources, and the adapter that calls it. */
export const startFaceApi = async () => {
  const simulator = await startAzure({ resources: [OURS, THEIRS] })
  onTestFinished(() => simulator.stop())
  const vendor = new AzureFace({ outbound: wayOut(), now: Date.now })
  const entered = enteredFor(simulator.url)
  const checks = checksWith(vendor, entered)
  return {
    ...checks,
    vendor,
    entered,
    theirs: enteredFor(simulator.url, 'a-key-of-theirs'),
    url: simulator.url,
    orders: ordersAt<AzureOrders>(simulator.controlUrl),
    capture: (authToken: string, scene: Scene = scenes.holder) => captureForAzure({ authToken, scene }),
    /** A session in front of which these people have stood, one after the other. */
    captured: async (some: readonly Scene[] = [scenes.holder], wanted: Wanted = {}): Promise<string> => {
      const { sessionId, authToken } = begunIn(await checks.begin(wanted))
      for (const scene of some) await captureForAzure({ authToken, scene })
      return sessionId
    },
  }
}
