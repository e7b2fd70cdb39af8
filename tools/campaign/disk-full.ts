import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Random } from '../simulate/random.ts'
import type { Audit } from './audit.ts'
import { Fleet } from './fleet.ts'
import { cassandraPlace, type Place, sqlitePlace } from './places.ts'
import { SmallDisk } from './small-disk.ts'

export type DiskFullReport = {
  readonly rounds: number
  readonly acknowledged: number
  /** Of the time in which the disk was full. */
  readonly acknowledgedWhileFull: number
  readonly refusedWhileFull: number
  readonly recoveriesMs: readonly number[]
  readonly audit: Audit
  readonly problems: readonly string[]
}

const FULL_MS = 12_000
const ROUNDS = 3
const SQLITE_MEGABYTES = 192
const CASSANDRA_MEGABYTES = 700

/** The disk of the embedded engine, or of one Cassandra node out of three, is full for a while, under load. */
export const runDiskFull = async (
  engine: string,
  seed: number,
  say: (line: string) => void,
): Promise<DiskFullReport> => {
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-disk-'))
  const small =
    engine === 'sqlite'
      ? new SmallDisk(folder, SQLITE_MEGABYTES)
      : new SmallDisk(join(folder, 'node-2'), CASSANDRA_MEGABYTES)
  try {
    const place = engine === 'sqlite' ? sqlitePlace(folder) : await cassandraPlace(3, folder)
    try {
      return await fillAgainAndAgain(place, small, seed, say)
    } finally {
      await place[Symbol.asyncDispose]()
    }
  } finally {
    small[Symbol.dispose]()
    rmSync(folder, { recursive: true, force: true })
  }
}

const fillAgainAndAgain = async (
  place: Place,
  disk: SmallDisk,
  seed: number,
  say: (line: string) => void,
): Promise<DiskFullReport> => {
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
    acknowledgedWhileFull += askers.acknowledged.length - before.acknowledged
    refusedWhileFull += refusedBy(fleet) - before.refused
    disk.free()
    const restarted = restartWhatDied(place)
    recoveriesMs.push(Math.round(await fleet.untilAvailable()))
    say(
      `round ${round}: ${askers.acknowledged.length - before.acknowledged} acknowledged while it was full, ` +
        `answering ${recoveriesMs.at(-1)} ms after it had room again`,
    )
    say(`round ${round}: ${await restarted} servers had ended and run again`)
  }
  const audit = await fleet.finish()
  return {
    rounds: ROUNDS,
    acknowledged: askers.acknowledged.length,
    acknowledgedWhileFull,
    refusedWhileFull,
    recoveriesMs,
    audit,
    problems: [...askers.problems, ...fleet.defects, ...audit.problems],
  }
}

/** Cassandra itself gives up when it cannot write its commit log; its operator starts it again. */
const restartWhatDied = async ({ servers }: Place): Promise<number> => {
  const dead = (servers?.nodes ?? []).filter((server) => !server.isRunning())
  for (const server of dead) await server.start()
  return dead.length
}

const refusedBy = ({ askers }: Fleet): number =>
  [...askers.refusals.values()].reduce((sum, count) => sum + count, 0)
