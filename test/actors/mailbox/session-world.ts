import type { LiveSession } from '../../../src/actors/mailbox/live-session.ts'
import { LiveSessions } from '../../../src/actors/mailbox/live-sessions.ts'
import type { SessionPorts } from '../../../src/actors/mailbox/session-ports.ts'
import type { OnMessage } from '../../../src/ports/mailbox-watch.ts'
import type { Handled, MediatorSession, PushMode, WaitingMessage } from '../../../src/ports/mediator.ts'
import type { Socket, SocketEnd } from '../../../src/ports/sockets.ts'

const MAILBOX = 'mbx_00abcdefgh'

/** A clock that goes on only when it is told to. */
export class GivenTime {
  nowMs = 0
  #sleepers: { readonly atMs: number; readonly wake: () => void }[] = []

  readonly runtime: SessionPorts['runtime'] = {
    monotonicMs: () => this.nowMs,
    sleep: (ms) =>
      new Promise((resolve) => void this.#sleepers.push({ atMs: this.nowMs + ms, wake: resolve })),
  }

  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms
    await settled()
    for (;;) {
      const [next] = this.#sleepers.toSorted((left, right) => left.atMs - right.atMs)
      if (next === undefined || next.atMs > untilMs) break
      this.#sleepers = this.#sleepers.filter((each) => each !== next)
      this.nowMs = Math.max(this.nowMs, next.atMs)
      next.wake()
      await settled()
    }
    this.nowMs = untilMs
    await settled()
  }
}

/** Everything that waits for nothing from outside has been done. */
export const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** A socket whose other side does what the test says. */
class GivenSocket implements Socket {
  readonly sent: string[] = []
  readonly ends: SocketEnd[] = []
  readonly endsAfterWork: SocketEnd[] = []
  hasRoom = true
  isKept = false
  #pings: (() => void)[] = []

  get pings(): number {
    return this.#pings.length
  }

  send(text: string): boolean {
    if (this.ends.length > 0) return false
    this.sent.push(text)
    return this.hasRoom
  }

  ping(heard: () => void): void {
    this.#pings.push(heard)
  }

  keep(): void {
    this.isKept = true
  }

  end(why: SocketEnd): void {
    this.ends.push(why)
  }

  endAfterWork(why: SocketEnd): void {
    this.endsAfterWork.push(why)
  }

  /** What was sent until now has arrived. */
  async answer(pings = this.#pings.length): Promise<void> {
    for (const heard of this.#pings.splice(0, pings)) heard()
    await settled()
  }
}

/** What a message of these tests has the mediator do. */
export type Said = {
  readonly push?: PushMode | null
  readonly isStranger?: true
  readonly replies?: readonly string[]
  readonly outcome?: Handled['outcome']
  readonly fails?: Error
}

type Opened = { readonly session: LiveSession; readonly socket: GivenSocket }

export class SessionWorld {
  readonly time = new GivenTime()
  readonly sessions: LiveSessions
  readonly queue: WaitingMessage[] = []
  readonly acknowledged: string[] = []
  readonly reads: { readonly after: number; readonly limit: number; readonly mode: PushMode }[] = []
  readonly watchers = new Set<OnMessage>()
  /** What is about to be said, by the text that stands for it. */
  readonly #says = new Map<string, Said>()
  largeWaitMs: number | null = null
  /** Of the mailbox with its phone; over it comes what is said. */
  connection = 'first'
  failing: Error | null = null
  watchGate: Promise<void> = Promise.resolve()
  #place = 0

  constructor() {
    this.sessions = new LiveSessions({
      runtime: this.time.runtime,
      takeLarge: () => this.largeWaitMs,
      mailboxWatch: {
        announce: () => Promise.resolve(false),
        watch: async (_, onMessage) => {
          await this.watchGate
          this.watchers.add(onMessage)
          return { [Symbol.dispose]: () => void this.watchers.delete(onMessage) }
        },
      },
      mediator: {
        handle: (envelope, session) => this.#handle(envelope, session),
        waiting: async ({ connection }, after, limit, mode) => {
          this.reads.push({ after, limit, mode })
          if (this.failing !== null) throw this.failing
          if (connection !== this.connection) return null
          const waiting = this.queue.filter(({ place }) => place > after).slice(0, limit)
          return mode === 'live'
            ? waiting.map((each) => ({ ...each, envelope: `live ${each.envelope}` }))
            : waiting
        },
        acknowledge: async ({ connection }, ids) => {
          if (this.failing !== null) throw this.failing
          if (connection !== this.connection) return false
          this.taken(ids)
          return true
        },
      },
    })
  }

  taken(ids: readonly string[]): void {
    this.acknowledged.push(...ids)
    this.queue.splice(0, this.queue.length, ...this.queue.filter(({ id }) => !ids.includes(id)))
  }

  /** Messages come for the mailbox; whoever watches is told once. */
  async comes(...names: readonly string[]): Promise<boolean[]> {
    for (const name of names) this.queue.push({ id: name, place: ++this.#place, envelope: name })
    const answers: boolean[] = []
    for (const onMessage of this.watchers)
      void Promise.resolve(onMessage()).then((isTaken) => answers.push(isTaken))
    await settled()
    return answers
  }

  open(address: string | null = MAILBOX): Opened {
    const socket = new GivenSocket()
    const session = this.sessions.opened(socket, { address, from: '192.0.2.1' }) as LiveSession
    return { session, socket }
  }

  async say({ session }: Opened, said: Said, bytes = 0): Promise<void> {
    const text = JSON.stringify({ said: this.#says.size, ciphertext: 'x'.repeat(bytes) })
    this.#says.set(text, said)
    await session.received(Buffer.from(text))
    await settled()
  }

  async #handle(envelope: string, session: MediatorSession): Promise<Handled> {
    const { push, isStranger, replies = [], outcome = 'accepted', fails } = this.#says.get(envelope) ?? {}
    if (fails !== undefined) throw fails
    if (isStranger !== true && outcome === 'accepted') {
      session.opened({ mailbox: MAILBOX, connection: this.connection })
      if (push !== undefined) session.push(MAILBOX, push)
    }
    return { outcome, replies }
  }
}
