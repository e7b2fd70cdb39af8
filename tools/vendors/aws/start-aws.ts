import type { Scene } from '../people/camera.ts'
import { type EverydayOrders, type Listening, type Simulator, startSimulator } from '../wire/simulator.ts'
import type { AwsAccount } from './accounts.ts'
import { awsDesk } from './aws-desk.ts'
import { type AwsManner, type AwsWorld, awsWorld } from './aws-world.ts'
import type { HeldSession } from './liveness-sessions.ts'

export type AwsOptions = Listening & {
  readonly region: string
  readonly accounts: readonly AwsAccount[]
}

export type AwsOrders = EverydayOrders & ReturnType<typeof awsOrders>

/** One Region of AWS on this machine: Rekognition with Face Liveness, and STS. */
export const startAws = ({ region, accounts, ...listening }: AwsOptions): Promise<Simulator> => {
  const world = awsWorld(region, listening.tls !== undefined)
  for (const account of accounts) world.accounts.put(account)
  return startSimulator(awsDesk(world), { clock: world.clock, orders: awsOrders(world), listening })
}

const awsOrders = ({ accounts, camera, sessions, manner }: AwsWorld) => ({
  putAccount: (account: AwsAccount): void => accounts.put(account),
  /** Who is in front of every camera that nothing else is set up for. */
  show: (scene: Scene): void => camera.show(scene),
  /** Who is in front of the cameras of the next captures. */
  setUp: (next: readonly Scene[]): void => camera.setUp(next),
  /** What the documents leave open. */
  behave: (change: Partial<AwsManner>): void => void Object.assign(manner, change),
  /** Sessions that are not too old, and the images in them. */
  held: (): readonly HeldSession[] => sessions.held(),
})
