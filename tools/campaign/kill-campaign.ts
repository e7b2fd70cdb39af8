import { setTimeout as pause } from 'node:timers/promises'
import { Random } from '../simulate/random.ts'
import type { Audit } from './audit.ts'
import { Fleet } from './fleet.ts'
import type { Place } from './places.ts'

export type KillOptions = {
  readonly kills: number
  readonly freezes: number
  readonly serverKills: number
  readonly askers: number
  readonly nodes: number
  readonly shardCount: number
  readonly clockOffsetMs: number
  readonly seed: number
}

export type KillReport = {
  readonly killed: number
  readonly frozen: number
  readonly serversKilled: number
  readonly seconds: number
  readonly acknowledged: number
  readonly longestSilenceMs: number
  /** From each disturbance until askers were answered again. */
  readonly recoveriesMs: { readonly median: number; readonly most: number }
  readonly refusals: Readonly<Record<string, number>>
  readonly audit: Audit
  readonly problems: readonly string[]
}

/** A process that sleeps past its lease finds that another has taken its place. */
const FREEZE_MS = 16_000
const SERVER_DOWN_MS = 4_000

type Disturbance = 'kill' | 'freeze' | 'server'

export const runKillCampaign = async (
  place: Place,
  options: KillOptions,
  say: (line: string) => void,
): Promise<KillReport> => {
  const random = new Random(options.seed)
  const fleet = new Fleet({ place, random, ...options })
  const startedMs = performance.now()
  const recoveriesMs: number[] = []
  await fleet.start()
  say(`${options.askers} askers, ${options.nodes} processes: answering`)
  for (const [index, disturbance] of disturbances(options, random).entries()) {
    await pause(random.next() * 2_000)
    const beganMs = performance.now()
    await disturb(disturbance, fleet, place, random)
    await fleet.untilAvailable()
    recoveriesMs.push(performance.now() - beganMs)
    say(
      `${index + 1}: ${disturbance}, answering after ${(performance.now() - beganMs).toFixed(0)} ms, ` +
        `${fleet.askers.acknowledged.length} acknowledged, ${fleet.askers.problems.length} problems`,
    )
  }
  const audit = await fleet.finish()
  const { askers, defects } = fleet
  return {
    killed: options.kills,
    frozen: options.freezes,
    serversKilled: options.serverKills,
    seconds: Math.round((performance.now() - startedMs) / 1_000),
    acknowledged: askers.acknowledged.length,
    longestSilenceMs: Math.round(askers.longestSilenceMs),
    recoveriesMs: summary(recoveriesMs),
    refusals: Object.fromEntries(askers.refusals),
    audit,
    problems: [...askers.problems, ...defects, ...audit.problems],
  }
}

const disturbances = (
  { kills, freezes, serverKills }: KillOptions,
  random: Random,
): readonly Disturbance[] => {
  const all: Disturbance[] = [
    ...Array.from({ length: kills }, () => 'kill' as const),
    ...Array.from({ length: freezes }, () => 'freeze' as const),
    ...Array.from({ length: serverKills }, () => 'server' as const),
  ]
  for (let index = all.length - 1; index > 0; index--) {
    const other = random.below(index + 1)
    const [one, two] = [all[index], all[other]]
    if (one !== undefined && two !== undefined) [all[index], all[other]] = [two, one]
  }
  return all
}

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
  await fleet.untilStarted(node)
  if (disturbance === 'kill') return node.signal('SIGKILL')
  node.signal('SIGSTOP')
  await pause(FREEZE_MS)
  node.signal('SIGCONT')
}

const summary = (values: readonly number[]): { median: number; most: number } => {
  const sorted = [...values].sort((left, right) => left - right)
  return {
    median: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
    most: Math.round(sorted.at(-1) ?? 0),
  }
}
