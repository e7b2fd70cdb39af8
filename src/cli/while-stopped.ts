import { setTimeout } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { engineSettings } from '../persistence/engine-settings.ts'
import { type Engine, openEngine } from '../persistence/open-engine.ts'

/** For what may only be done while no node runs. Opens the engine for a moment; a file that is in use is refused there. */
export const refuseWhileServed = async (config: Config): Promise<void> => {
  const engine = await openEngine(engineSettings(config))
  try {
    await refuseLiving(engine, config)
  } finally {
    await engine[Symbol.asyncDispose]()
  }
}

/** A file is locked by its process; on a cluster a node that runs is known by its counter, which rises. */
export const refuseLiving = async (
  { cluster: stores }: Engine,
  { cluster }: Pick<Config, 'cluster'>,
): Promise<void> => {
  if (stores === null) return
  const { leases } = stores
  const before = (await leases.list()).filter(({ state }) => state === 'alive')
  if (before.length > 0) await setTimeout(cluster.deadAfterMs)
  for (const { node, counter } of await leases.list()) {
    const earlier = before.find((each) => each.node === node)
    if (earlier !== undefined && earlier.counter !== counter)
      throw new Error(`The node ${node} is running: stop every node first.`)
  }
}
