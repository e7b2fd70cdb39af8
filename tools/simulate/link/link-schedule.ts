import { type OpenLink, openLink } from '../../../src/cluster/link/link.ts'
import { linkDefaults } from '../../../src/cluster/link/link-settings.ts'
import { LinkFailed } from '../../../src/ports/node-link.ts'
import type { Log } from '../../../src/telemetry/logger.ts'
import { type LinkFaults, LinkNetwork } from '../link-network.ts'
import type { Random } from '../random.ts'
import { runPlay, type ScheduleResult } from '../schedule.ts'
import { SimulatedProcess } from '../simulated-process.ts'
import { Violation, type World } from '../world.ts'
import type { LinkVariant } from './link-variants.ts'

const ACTIVE_MS = 60_000
const HEALED_MS = 60_000
/** How wrong a link may be about the way of a request: the limit of a dial, a clock that stood still, and drift. */
const LATE_MS = linkDefaults.dialLimitMs + 2_000

type Asked = {
  readonly process: SimulatedProcess
  readonly untilMs: number
  outcome: 'open' | 'answered' | 'failed' | 'not sent'
  begun: number
}
type Running = {
  readonly node: string
  readonly process: SimulatedProcess
  readonly link: Pick<OpenLink, 'request' | 'peers'>
}
/** How the requests of a schedule ended. */
export type LinkOutcome = { readonly answered: number; readonly failed: number; readonly notSent: number }

const silentLog: Log = Object.assign(() => undefined, { flush: () => undefined })

/** The links of a few nodes among faults of every kind, and what must hold whatever happens. Decided by the seed alone. */
export const runLinkSchedule = (
  seed: number,
  variant: LinkVariant,
  traced: boolean,
  ended: (outcome: LinkOutcome) => void = () => undefined,
): Promise<ScheduleResult> =>
  runPlay(seed, traced, async (world) => {
    ended(await new Simulation(world, variant).run())
    // A link has no log.
    return 0
  })

class Simulation {
  readonly #world: World
  readonly #network: LinkNetwork
  readonly #names: readonly string[]
  readonly #running = new Map<string, Running>()
  readonly #asked: Asked[] = []
  readonly #variant: LinkVariant

  constructor(world: World, variant: LinkVariant) {
    this.#world = world
    this.#variant = variant
    const { random } = world
    this.#network = new LinkNetwork(world, drawFaults(random), variant.arriving)
    this.#names = ['a', 'b', 'c'].slice(0, random.integer(2, 3))
  }

  async run(): Promise<LinkOutcome> {
    const world = this.#world
    for (const name of this.#names) this.#start(name)
    this.#later(500, () => this.#ask())
    this.#later(8_000, () => this.#disturb())
    await world.run(ACTIVE_MS, () => false)
    world.healed = true
    this.#network.heal()
    await world.run(ACTIVE_MS + HEALED_MS, () => false)
    this.#allConnected()
    this.#allEnded()
    const count = (outcome: Asked['outcome']) => this.#asked.filter((each) => each.outcome === outcome).length
    return { answered: count('answered'), failed: count('failed'), notSent: count('not sent') }
  }

  #start(node: string): void {
    const world = this.#world
    const name = `${node}.${world.newId()}`
    const clocks = { wallOffsetMs: 0, monotonicRate: 1 + world.random.between(-1e-4, 1e-4) }
    const process: SimulatedProcess = new SimulatedProcess(world, name, clocks, 0, () => {
      this.#running.delete(node)
      this.#network.crashed(process)
      world.at(world.random.next() * 5_000, null, () => this.#start(node))
    })
    const { runtime } = process
    const transport = this.#network.transportFor(process, node)
    const peers = () => this.#names.map((each) => ({ node: each, address: each }))
    const settings = { ...linkDefaults, waitingMax: world.random.pick([2, 5, 1_000]) }
    const link = openLink({ node, transport, runtime, settings, log: silentLog, peers })
    link.handle('work', (body) => this.#work(process, Buffer.from(body)))
    const request = this.#variant.request?.(link) ?? link.request.bind(link)
    this.#running.set(node, { node, process, link: { request, peers: () => link.peers() } })
    world.note(() => `${name} starts`)
    world.at(0, process, () => void link.start())
  }

  async #work(process: SimulatedProcess, body: Buffer): Promise<Uint8Array> {
    const { random, nowMs } = this.#world
    const number = body.readUInt32BE(0)
    const asked = this.#asked[number]
    this.#world.note(() => `${process.name} begins ${number}`)
    if (asked === undefined) throw new Violation('a request was begun that nobody sent')
    if (++asked.begun > 1) this.#world.fail(new Violation('a request was begun twice'))
    if (asked.outcome === 'not sent') this.#world.fail(new Violation('a request was begun that was not sent'))
    if (nowMs > asked.untilMs + LATE_MS)
      this.#world.fail(new Violation(`a request was begun ${nowMs - asked.untilMs} ms after its deadline`))
    if (random.chance(0.1)) throw new Error('the handler fails')
    if (random.chance(0.05)) return new Promise(() => {})
    await process.runtime.sleep(random.next() * 1_000)
    return body
  }

  #ask(): void {
    const { random } = this.#world
    const from = this.#pick()
    const to = random.pick(this.#names)
    if (from === undefined || to === from.node || from.process.pausedUntilMs > this.#world.nowMs) return
    for (let count = random.integer(1, 4); count > 0; count--) this.#askOnce(from, to)
  }

  #askOnce({ process, link }: Running, to: string): void {
    const world = this.#world
    const timeoutMs = world.random.pick([50, 500, 3_000, 20_000])
    const asked: Asked = { process, untilMs: world.nowMs + timeoutMs, outcome: 'open', begun: 0 }
    const number = this.#asked.push(asked) - 1
    const body = Buffer.alloc(world.random.pick([4, 100, 90_000]))
    body.writeUInt32BE(number, 0)
    const end = (outcome: Asked['outcome']): void => {
      if (asked.outcome !== 'open') world.fail(new Violation('a request ended twice'))
      asked.outcome = outcome
      world.note(() => `${process.name} is told that ${number} is ${outcome}`)
      if (outcome === 'not sent' && asked.begun > 0)
        world.fail(new Violation('a request was begun, and said not to be'))
    }
    world.at(0, process, () => {
      world.note(() => `${process.name} asks ${to}: ${number}, within ${timeoutMs} ms`)
      link.request(to, 'work', body, { timeoutMs }).then(
        (answer) => {
          if (!Buffer.from(answer).equals(body)) world.fail(new Violation('an answer of another request'))
          end('answered')
        },
        (error: unknown) => end(error instanceof LinkFailed && error.notSent ? 'not sent' : 'failed'),
      )
    })
  }

  #disturb(): void {
    const { random } = this.#world
    const [one, other] = [random.pick(this.#names), random.pick(this.#names)]
    const running = this.#pick()
    const ms = random.pick([200, 3_000, 10_000, 30_000]) * random.next()
    switch (random.pick(['pause', 'suspend', 'crash', 'cut', 'part'])) {
      case 'pause':
        return running?.process.pause(ms)
      case 'suspend':
        return running?.process.suspend(ms)
      case 'crash':
        return running?.process.crash()
      case 'cut':
        return this.#network.cut(one, other, ms)
      default:
        this.#network.cut(one, other, ms)
        return this.#network.cut(other, one, ms)
    }
  }

  #pick(): Running | undefined {
    const running = [...this.#running.values()]
    return running.length === 0 ? undefined : this.#world.random.pick(running)
  }

  #later(ms: number, happen: () => void): void {
    this.#world.at(this.#world.random.next() * 2 * ms, null, () => {
      if (this.#world.healed) return
      happen()
      this.#later(ms, happen)
    })
  }

  #allConnected(): void {
    for (const { node, link } of this.#running.values())
      for (const peer of link.peers())
        if (peer.state !== 'connected') throw new Violation(`${node} is not connected to ${peer.node}`)
    if (this.#running.size !== this.#names.length) throw new Violation('a node has not come back')
  }

  #allEnded(): void {
    for (const { process, outcome, begun } of this.#asked) {
      if (process.alive && outcome === 'open') throw new Violation('a request never ended')
      if (outcome === 'answered' && begun !== 1) throw new Violation('an answer without work')
    }
  }
}

const drawFaults = (random: Random): LinkFaults => {
  const rate = (): number => (random.chance(0.5) ? random.pick([0.001, 0.01, 0.05]) : 0)
  return {
    latencyMs: random.pick([1, 20, 200]),
    lost: rate(),
    doubled: rate(),
    exchanged: rate(),
    torn: rate(),
  }
}
