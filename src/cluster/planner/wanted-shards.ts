import { isEnded, type NodeLease } from '../../ports/lease.ts'
import type { KeptShardMap } from '../../ports/shard-map.ts'

/** What the map wants of a node that it has not done. */
export type Waiting = {
  /** For how long that has been wanted of it which has been wanted longest. */
  readonly longestMs: number
  /** For how long it has let go of none of those that it is to let go; zero where there are none. */
  readonly stillMs: number
}

/** To let a shard go; to take one, which may fail for reasons that are not the node's; to say what part it takes. */
type Task = { readonly of: NodeLease; readonly isToLetGo: boolean }

type Wanted = { readonly task: Task; readonly sinceMs: number }

/** After so long a time without a look nothing counts of before: a store that was away kept everybody from the map. */
const GAP_MS_MAX = 10_000

/**
 * What living nodes are to do by the map, and since when this process sees that: no clock is compared for it. Which node is
 * to have a shard may change before it is let go, without that being later. While the map is frozen no time passes.
 */
export class WantedShards {
  #wanted: ReadonlyMap<string, Wanted> = new Map()
  #letGoAtMs: ReadonlyMap<string, number> = new Map()
  #lookedAtMs = Number.NEGATIVE_INFINITY

  look(map: KeptShardMap, living: readonly NodeLease[], nowMs: number): ReadonlyMap<string, Waiting> {
    const before: ReadonlyMap<string, Wanted> =
      nowMs - this.#lookedAtMs > GAP_MS_MAX ? new Map() : this.#wanted
    this.#lookedAtMs = nowMs
    this.#wanted = new Map(
      [...tasksIn(map, living)].map(([name, task]): [string, Wanted] => {
        const known = before.get(name)
        return [name, known !== undefined && isSame(known.task, task) ? known : { task, sinceMs: nowMs }]
      }),
    )
    this.#noteLetGo(before, nowMs)
    return this.#waiting(nowMs)
  }

  #noteLetGo(before: ReadonlyMap<string, Wanted>, nowMs: number): void {
    const asked = new Set(Array.from(this.#wanted.values(), ({ task }) => task.of.incarnation))
    const letGo = new Map([...this.#letGoAtMs].filter(([incarnation]) => asked.has(incarnation)))
    for (const [name, { task }] of before) {
      const now = this.#wanted.get(name)?.task
      const isDone = task.isToLetGo && (now === undefined || !isSame(now, task))
      if (isDone && asked.has(task.of.incarnation)) letGo.set(task.of.incarnation, nowMs)
    }
    this.#letGoAtMs = letGo
  }

  #waiting(nowMs: number): ReadonlyMap<string, Waiting> {
    const waiting = new Map<string, Waiting>()
    for (const { task, sinceMs } of this.#wanted.values()) {
      const { node, incarnation } = task.of
      const known = waiting.get(node)
      const letGoAtMs = this.#letGoAtMs.get(incarnation) ?? sinceMs
      const stillMs = task.isToLetGo ? nowMs - Math.max(sinceMs, letGoAtMs) : 0
      waiting.set(node, {
        longestMs: Math.max(nowMs - sinceMs, known?.longestMs ?? 0),
        stillMs: Math.max(stillMs, known?.stillMs ?? 0),
      })
    }
    return waiting
  }
}

/** By name. Of a node whose lease was ended already nothing more is wanted. */
const tasksIn = (
  { places, members, frozen }: KeptShardMap,
  living: readonly NodeLease[],
): ReadonlyMap<string, Task> => {
  const tasks = new Map<string, Task>()
  if (frozen) return tasks
  const leases = new Map(living.filter((lease) => !isEnded(lease)).map((lease) => [lease.node, lease]))
  for (const [shard, { owner, desired }] of places.entries()) {
    if (desired === null || owner === desired) continue
    const [from, to] = [owner === null ? undefined : leases.get(owner), leases.get(desired)]
    if (to !== undefined) tasks.set(`take ${shard}`, { of: to, isToLetGo: false })
    if (to !== undefined && from !== undefined) tasks.set(`let go ${shard}`, { of: from, isToLetGo: true })
  }
  // That a node leaves may have been said by its process before; one that stops now goes by the map until it has ended.
  const said = new Set(members.filter(({ state }) => state !== 'leaving').map(({ node }) => node))
  for (const lease of leases.values())
    if (!said.has(lease.node)) tasks.set(`take part ${lease.node}`, { of: lease, isToLetGo: false })
  return tasks
}

const isSame = (one: Task, other: Task): boolean =>
  one.of.node === other.of.node && one.of.incarnation === other.of.incarnation
