import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onPlace, type Place } from '../../harness/place.ts'
import { SmallDisk } from '../../harness/small-disk.ts'
import { Random } from '../../simulate/random.ts'
import { defineScenario, engineOption, seedOption } from '../scenario.ts'
import { Fleet } from './fleet.ts'

const FULL_MS = 12_000
const ROUNDS = 3
const SQLITE_MEGABYTES = 192
const CASSANDRA_MEGABYTES = 700

export const diskFull = defineScenario({
  about:
    'The disk of the embedded engine, or of one Cassandra node out of three, is full for a while, under load. Mounts a small file system, so it needs root.',
  options: { engine: engineOption, seed: seedOption },
  run: async ({ engine, seed }, say) => {
    const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-disk-'))
    const isSqlite = engine === 'sqlite'
    const disk = isSqlite
      ? new SmallDisk(folder, SQLITE_MEGABYTES)
      : new SmallDisk(join(folder, 'node-2'), CASSANDRA_MEGABYTES)
    try {
      return await onPlace(
        async (place) => {
          if (!isSqlite) await place.addCassandra({ nodes: 3, dataDir: folder })
        },
        (place) => fillAgainAndAgain(place, disk, seed, say),
        isSqlite ? folder : undefined,
      )
    } finally {
      disk[Symbol.dispose]()
      rmSync(folder, { recursive: true, force: true })
    }
  },
})

const fillAgainAndAgain = async (
  place: Place,
  disk: SmallDisk,
  seed: number,
  say: (line: string) => void,
) => {
  const nodes = place.servers === null ? 1 : 2
  const random = new Random(seed)
  const fleet = new Fleet({ place, random, nodes, shardCount: 16, askers: 64, clockOffsetMs: 0 })
  const { askers } = fleet
  await fleet.start()
  let [acknowledgedWhileFull, refusedWhileFull] = [0, 0]
  const recoveriesMs: number[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    await pause(3_000)
    const before = { acknowledged: askers.acknowledged.length, refused: refusedBy(fleet) }
    disk.fill()
    say(`round ${round}: the disk is full`)
    await pause(FULL_MS)
    const acknowledged = askers.acknowledged.length - before.acknowledged
    acknowledgedWhileFull += acknowledged
    refusedWhileFull += refusedBy(fleet) - before.refused
    disk.free()
    const restarted = restartEnded(place)
    recoveriesMs.push(Math.round(await fleet.untilAvailable()))
    say(
      `round ${round}: ${acknowledged} acknowledged while it was full, ` +
        `answering ${recoveriesMs.at(-1)} ms after it had room again`,
    )
    say(`round ${round}: ${await restarted} servers had ended and run again`)
  }
  const { acknowledged, audit, problems } = await fleet.finish()
  return {
    rounds: ROUNDS,
    acknowledged,
    acknowledgedWhileFull,
    refusedWhileFull,
    recoveriesMs,
    audit,
    problems,
  }
}

/** Cassandra itself gives up when it cannot write its commit log; its operator starts it again. */
const restartEnded = async ({ servers }: Place): Promise<number> => {
  const ended = (servers?.nodes ?? []).filter((server) => !server.isRunning())
  for (const server of ended) await server.start()
  return ended.length
}

const refusedBy = ({ askers }: Fleet): number =>
  [...askers.refusals.values()].reduce((sum, count) => sum + count, 0)
