import type { EffectGate } from './definition.ts'

export type EffectLimits = { readonly effectsAtOnceMax: number; readonly effectsQueuedMax: number }

type Kind = { running: number; readonly queue: (() => void)[]; head: number }

const CROWDED_MS = 5_000

/** How many effects of one kind are performed at once on this node, and how many may wait for it. */
export class EffectSlots {
  readonly #limits: EffectLimits
  readonly #kinds = new Map<string, Kind>()

  constructor(limits: EffectLimits) {
    this.#limits = limits
  }

  gate(name: string): EffectGate {
    return {
      enter: (begin) => (this.enter(name, begin) ? null : CROWDED_MS),
      leave: () => this.leave(name),
    }
  }

  /** False when too many wait already: try again later. */
  enter(name: string, begin: () => void): boolean {
    const kind = this.#find(name)
    if (kind.running < this.#limits.effectsAtOnceMax) {
      kind.running++
      begin()
      return true
    }
    if (kind.queue.length - kind.head >= this.#limits.effectsQueuedMax) return false
    kind.queue.push(begin)
    return true
  }

  leave(name: string): void {
    const kind = this.#find(name)
    const next = kind.queue[kind.head]
    if (next === undefined) {
      kind.running--
      return
    }
    kind.head++
    if (kind.head === kind.queue.length) {
      kind.queue.length = 0
      kind.head = 0
    } else if (kind.head >= 1_024) {
      kind.queue.splice(0, kind.head)
      kind.head = 0
    }
    next()
  }

  #find(name: string): Kind {
    let kind = this.#kinds.get(name)
    if (kind === undefined) {
      kind = { running: 0, queue: [], head: 0 }
      this.#kinds.set(name, kind)
    }
    return kind
  }
}
