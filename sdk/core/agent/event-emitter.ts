import type { AgentDependencies } from '@credo-ts/core'

type Listener = (event: unknown) => void

/** As much of Node's as Credo uses. */
class SmallEmitter {
  readonly #listeners = new Map<string, Set<Listener>>()

  on(name: string, listener: Listener): this {
    this.#listeners.set(name, (this.#listeners.get(name) ?? new Set()).add(listener))
    return this
  }

  off(name: string, listener: Listener): this {
    this.#listeners.get(name)?.delete(listener)
    return this
  }

  emit(name: string, event: unknown): boolean {
    const listeners = [...(this.#listeners.get(name) ?? [])]
    for (const listener of listeners) listener(event)
    return listeners.length > 0
  }
}

export const EventEmitterClass = SmallEmitter as unknown as AgentDependencies['EventEmitterClass']
