import { setTimeout as pause } from 'node:timers/promises'
import type { DidCommRouting } from '@credo-ts/didcomm'
import type Database from 'better-sqlite3'
import { patiently } from './patience.ts'
import { outboundFor, type Pickup, RunningPickup } from './pickup.ts'
import { Radio } from './radio.ts'
import { type AgentOptions, openAgent, type WalletAgent } from './wallet-agent.ts'
import { openDatabase, removeDatabase } from './wallet-database.ts'

export type MediatedOptions = AgentOptions & {
  readonly label: string
  /** `:memory:` for a wallet that is forgotten. */
  readonly databaseFile: string
  readonly pickup: Pickup
  /** Between two questions of one that polls. */
  readonly pollMs?: number
  /** Hears of the agent each time that the phone is turned on, before its first message. */
  readonly turnedOn?: (agent: WalletAgent) => void
}

const POLL_MS = 10_000
const RECONNECT_MS_MAX = 1_000
const CONNECT_LIMIT_MS = 10 * 60_000
/** Credo acknowledges messages before it has looked at them, so a phone finishes what it has begun. */
const QUIET_MS = 250
const QUIET_LIMIT_MS = 20_000
const LOOK_MS = 25
const NOTICED_AFTER_MS = 8_000

type Running = {
  readonly agent: WalletAgent
  readonly close: () => Promise<void>
  pickup: RunningPickup | null
  /** Messages that it is at work on, and when that was last more than none. */
  readonly busy: { messages: number; lastMs: number }
}

/**
 * A phone as most are: a Credo wallet that no one can reach, behind a mediator. It is turned off and on, loses its
 * sockets, and can be lost with everything that was on it.
 */
export class MediatedHolder implements AsyncDisposable {
  readonly #options: MediatedOptions
  readonly #radio = new Radio()
  #database: Database.Database
  #running: Running | null = null

  private constructor(options: MediatedOptions) {
    this.#options = options
    this.#database = openDatabase(options.databaseFile)
  }

  /** The phone with the app on it, turned on. A wallet whose storage is there already goes on with its mediator. */
  static async open(options: MediatedOptions): Promise<MediatedHolder> {
    const holder = new MediatedHolder(options)
    await holder.turnOn()
    return holder
  }

  get agent(): WalletAgent {
    return this.#on().agent
  }

  get openSockets(): number {
    return this.#radio.openSockets
  }

  /** The first launch: the wallet connects with the mediator of the invitation, and fetches its messages from then on. */
  async register(invitationUrl: string): Promise<void> {
    const running = this.#on()
    const { oob, connections, mediationRecipient } = running.agent.didcomm
    const routing = await mediationRecipient.getRouting({ useDefaultMediator: false })
    const own = { label: this.#options.label, routing }
    const { connectionRecord } = await oob.receiveInvitationFromUrl(invitationUrl, own)
    if (!connectionRecord) throw new Error('the invitation of the mediator led to no connection')
    const connected = { timeoutMs: CONNECT_LIMIT_MS }
    await mediationRecipient.provision(
      await connections.returnWhenIsConnected(connectionRecord.id, connected),
    )
    await this.#pickUp(running)
  }

  /** Takes the invitation of an issuer; the id of the connection when it is completed. */
  async connect(invitationUrl: string): Promise<string> {
    const { oob, connections } = this.agent.didcomm
    const own = { label: this.#options.label, routing: await this.#newRouting() }
    const { connectionRecord } = await oob.receiveInvitationFromUrl(invitationUrl, own)
    if (!connectionRecord) throw new Error('the invitation led to no connection')
    const timeoutMs = CONNECT_LIMIT_MS
    return (await connections.returnWhenIsConnected(connectionRecord.id, { timeoutMs })).id
  }

  /** The app goes, its sockets with it; what it keeps stays. */
  async turnOff(): Promise<void> {
    const running = this.#on()
    this.#running = null
    await running.pickup?.stop()
    await untilQuiet(running)
    this.#radio.cut()
    await running.close()
  }

  async turnOn(): Promise<void> {
    if (this.#running !== null) throw new Error('the phone is on')
    const { pickup, pollMs = POLL_MS } = this.#options
    const opened = await openAgent(this.#database, this.#options, {
      fetch: this.#radio.fetch,
      WebSocketClass: this.#radio.WebSocketClass,
      endpoints: [],
      inbound: [],
      outbound: outboundFor(pickup),
      mediation: { mediatorPollingInterval: pollMs, maximumMediatorReconnectionIntervalMs: RECONNECT_MS_MAX },
    })
    const { agent } = opened
    this.#running = { agent, close: () => opened.close(), pickup: null, busy: countMessages(agent) }
    this.#options.turnedOn?.(agent)
    await this.#pickUp(this.#running)
  }

  /** Where there was a socket it is gone, and the wallet opens another; answers with how many there were. */
  dropSockets(): number {
    return this.#radio.cut()
  }

  /** The sockets stay open, but nothing comes through any more, until the phone notices; answers with how many. */
  stallSockets(noticedAfterMs = NOTICED_AFTER_MS): number {
    return this.#radio.stall(noticedAfterMs)
  }

  /** A lost phone: what comes back is an empty wallet on a new one, turned on. */
  async lose(): Promise<void> {
    if (this.#running !== null) await this.turnOff()
    this.#database.close()
    removeDatabase(this.#options.databaseFile)
    this.#database = openDatabase(this.#options.databaseFile)
    await this.turnOn()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#running !== null) await this.turnOff()
    this.#database.close()
  }

  #on(): Running {
    if (this.#running === null) throw new Error('the phone is off')
    return this.#running
  }

  async #pickUp(running: Running): Promise<void> {
    const mediator = await running.agent.didcomm.mediationRecipient.findDefaultMediator()
    if (mediator === null) return
    running.pickup ??= new RunningPickup(running.agent, mediator, this.#options.pickup, this.#radio)
  }

  /** The mediator must know the key before anyone writes to it; Credo asks once, and gives up when no answer comes. */
  #newRouting(): Promise<DidCommRouting> {
    const { mediationRecipient } = this.agent.didcomm
    const isOn = (): boolean => this.#running !== null
    return patiently(() => mediationRecipient.getRouting({}), isOn, new AbortController().signal)
  }
}

const countMessages = (agent: WalletAgent): Running['busy'] => {
  const busy = { messages: 0, lastMs: performance.now() }
  agent.didcomm.registerMessageHandlerMiddleware(async (_, next) => {
    busy.messages += 1
    try {
      await next()
    } finally {
      busy.messages -= 1
      busy.lastMs = performance.now()
    }
  })
  return busy
}

const untilQuiet = async ({ busy }: Running): Promise<void> => {
  const startedMs = performance.now()
  const isQuiet = (): boolean => {
    const sinceMs = Math.max(busy.lastMs, startedMs)
    return busy.messages === 0 && performance.now() - sinceMs > QUIET_MS
  }
  while (!isQuiet() && performance.now() - startedMs < QUIET_LIMIT_MS) await pause(LOOK_MS)
}
