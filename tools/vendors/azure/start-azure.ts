import type { Scene } from '../people/camera.ts'
import { type EverydayOrders, type Listening, type Simulator, startSimulator } from '../wire/simulator.ts'
import { azureDesk } from './azure-desk.ts'
import { type AzureManner, type AzureWorld, azureWorld } from './azure-world.ts'
import type { AzureResource } from './resources.ts'
import type { HeldVerifySession } from './verify-sessions.ts'

export type AzureOptions = Listening & { readonly resources: readonly AzureResource[] }

export type AzureOrders = EverydayOrders & ReturnType<typeof azureOrders>

/** The Face API of Azure on this machine. */
export const startAzure = ({ resources, ...listening }: AzureOptions): Promise<Simulator> => {
  const world = azureWorld(listening.tls !== undefined)
  for (const resource of resources) world.resources.put(resource)
  return startSimulator(azureDesk(world), { clock: world.clock, orders: azureOrders(world), listening })
}

const azureOrders = ({ resources, camera, sessions, manner }: AzureWorld) => ({
  putResource: (resource: AzureResource): void => resources.put(resource),
  /** Who is in front of every camera that nothing else is set up for. */
  show: (scene: Scene): void => camera.show(scene),
  /** Who is in front of the cameras of the next captures. */
  setUp: (next: readonly Scene[]): void => camera.setUp(next),
  /** What the documents say in two ways. */
  behave: (change: Partial<AzureManner>): void => void Object.assign(manner, change),
  /** Sessions that were not deleted and are not too old, and the images in them. */
  held: (): readonly HeldVerifySession[] => sessions.held(),
})
