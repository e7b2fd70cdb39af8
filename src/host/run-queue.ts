import { Mailbox, type Worker } from './host-mailbox.ts'
import type { Resident } from './resident.ts'

/** Actors that have their turn before the event loop goes round. */
const ACTORS_PER_TURN_MAX = 512

/** All actors of this process that have work, in the order in which it came. */
export class TurnQueue implements Worker {
  readonly #mailbox = new Mailbox(this)
  #ready: Resident[] = []
  #running: Resident | null = null

  wake(resident: Resident): void {
    if (resident.awake || resident.phase !== 'active') return
    resident.awake = true
    this.#ready.push(resident)
    this.#mailbox.wake()
  }

  /** Whoever comes after one that throws has its turn in the next round. */
  work(): void {
    const ready = this.#ready
    this.#ready = []
    let done = 0
    try {
      while (done < ready.length && done < ACTORS_PER_TURN_MAX) {
        const resident = ready[done++]
        if (resident === undefined) break
        this.#running = resident
        resident.awake = false
        resident.home.turn(resident)
      }
      this.#running = null
    } finally {
      if (done < ready.length) this.#ready = [...ready.slice(done), ...this.#ready]
      if (this.#ready.length > 0) this.#mailbox.wake()
    }
  }

  crashed(error: unknown): void {
    const resident = this.#running
    this.#running = null
    resident?.home.crashed(resident, error)
  }

  close(): void {
    this.#mailbox.close()
  }
}
