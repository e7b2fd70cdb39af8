import { setTimeout as pause } from 'node:timers/promises'
import { onPlace, type Place } from '../../harness/place.ts'
import { Random } from '../../simulate/random.ts'
import { count, defineScenario, engineOption, medianAndMost, seedOption, shuffled } from '../scenario.ts'
import { Fleet } from './fleet.ts'

/** A process that sleeps past its lease finds that another has taken its place. */
const FREEZE_MS = 16_000
const SERVER_DOWN_MS = 4_000
const SHARDS = 16

type Disturbance = 'kill' | 'freeze' | 'server'

export const kill = defineScenario({
  about: 'Service processes and servers are killed and frozen under load; then the journal is read.',
  options: {
    engine: engineOption,
    kills: count(50, 'of a service process'),
    freezes: count(0, 'of a service process, for longer than its lease'),
    'server-kills': count(0, 'of a Cassandra node'),
    servers: count(1, 'nodes of Cassandra'),
    askers: count(64, 'that ask at the same time'),
    nodes: count(0, 'service processes; 0: one on SQLite, two on Cassandra'),
    shards: count(SHARDS, 'of the journal'),
    'clock-offset-minutes': count(0, 'by which the clock of the last process is wrong'),
    seed: seedOption,
  },
  run: (values, say) =>
    onPlace(
      (place) => place.addEngine(values.engine, values.servers),
      async (place) => {
        const random = new Random(values.seed)
        const nodes = values.nodes || (values.engine === 'sqlite' ? 1 : 2)
        const clockOffsetMs = values['clock-offset-minutes'] * 60_000
        const { shards: shardCount } = values
        const fleet = new Fleet({ place, random, nodes, shardCount, askers: values.askers, clockOffsetMs })
        const startedMs = performance.now()
        const recoveriesMs: number[] = []
        await fleet.start()
        say(`${values.askers} askers, ${nodes} processes: answering`)
        const drawn = shuffled(random, [
          ...Array<Disturbance>(values.kills).fill('kill'),
          ...Array<Disturbance>(values.freezes).fill('freeze'),
          ...Array<Disturbance>(values['server-kills']).fill('server'),
        ])
        const { askers } = fleet
        for (const [index, disturbance] of drawn.entries()) {
          await pause(random.next() * 2_000)
          const beganMs = performance.now()
          await disturb(disturbance, fleet, place, random)
          await fleet.untilAvailable()
          const tookMs = performance.now() - beganMs
          recoveriesMs.push(tookMs)
          say(
            `${index + 1}: ${disturbance}, answering after ${tookMs.toFixed(0)} ms, ` +
              `${askers.acknowledged.length} acknowledged, ${askers.problems.length} problems`,
          )
        }
        const { acknowledged, audit, problems } = await fleet.finish()
        return {
          seconds: Math.round((performance.now() - startedMs) / 1_000),
          acknowledged,
          longestSilenceMs: Math.round(askers.longestSilenceMs),
          recoveriesMs: medianAndMost(recoveriesMs),
          refusals: Object.fromEntries(askers.refusals),
          audit,
          problems,
        }
      },
    ),
})

const disturb = async (
  disturbance: Disturbance,
  fleet: Fleet,
  { servers }: Place,
  random: Random,
): Promise<void> => {
  if (disturbance === 'server') {
    if (servers === null) throw new Error('this engine has no server of its own')
    const server = random.pick(servers.nodes)
    await server.kill()
    await pause(SERVER_DOWN_MS)
    await server.start()
    return
  }
  const node = random.pick(fleet.nodes)
  await node.untilReady()
  if (disturbance === 'kill') return node.kill()
  node.freeze()
  await pause(FREEZE_MS)
  node.thaw()
}
