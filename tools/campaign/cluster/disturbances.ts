import { setTimeout as pause } from 'node:timers/promises'
import { nodeName } from '../../cluster/settings.ts'
import type { Server } from '../../infra/server-process.ts'
import { type Disturbance, described, type Step } from './plan.ts'
import type { World } from './world.ts'

/** While it lasted, a request that came to this node may have met nothing but silence. */
export type Happened = {
  readonly what: Disturbance['is']
  readonly fromMs: number
  readonly toMs: number
}

/** Takes something back while nodes are cut off from each other, through one of them. */
export type TakingBack = {
  readonly ready: () => Promise<void>
  readonly begin: (through: number) => Promise<void>
  /** Called when the cut is over. */
  readonly end: () => Promise<void>
}

const nothing: TakingBack = {
  ready: () => Promise.resolve(),
  begin: () => Promise.resolve(),
  end: () => Promise.resolve(),
}

const AGAIN_MS = 3_000

/** Carries a plan out, says each step in a line, and remembers when each of them was. */
export class Disturbances {
  readonly #world: Pick<World, 'nodes' | 'links' | 'cassandra' | 'kafka'>
  readonly #say: (line: string) => void
  readonly #takingBack: TakingBack
  #cuts = 0
  readonly happened: Happened[] = []
  readonly problems: string[] = []
  /** How long it took, by kind, until what was disturbed worked again. */
  readonly backMs: Partial<Record<Disturbance['is'], number[]>> = {}

  constructor(
    world: Pick<World, 'nodes' | 'links' | 'cassandra' | 'kafka'>,
    say: (line: string) => void,
    takingBack = nothing,
  ) {
    this.#world = world
    this.#say = say
    this.#takingBack = takingBack
  }

  /** What of the plan was not begun by the given time is left out, and then the campaign shows less than was asked for. */
  async run(plan: readonly Step[], endMs: number, showNow: () => string): Promise<void> {
    let leftOut = 0
    for (const [index, step] of plan.entries()) {
      if (performance.now() > endMs && step.first.is !== 'rolling') leftOut += 1
      else await this.step(step, `${index + 1} of ${plan.length}`, showNow)
    }
    if (leftOut > 0)
      this.problems.push(
        `${leftOut} of ${plan.length} steps of the plan were not begun when its time was over`,
      )
  }

  /** One step of a plan, at its place in it. */
  async step({ first, beside, afterMs }: Step, place: string, showNow: () => string): Promise<void> {
    await pause(afterMs)
    const isCut = first.is === 'cut'
    if (isCut) await this.#noted(this.#takingBack.ready())
    const what = [first, beside].flatMap((each) => (each === null ? [] : [described(each)])).join('; ')
    this.#say(`${place}: ${what} (${showNow()})`)
    await Promise.all([this.#carryOut(first), beside === null ? null : this.#carryOut(beside)])
    if (isCut) await this.#noted(this.#takingBack.end())
  }

  async #carryOut(it: Disturbance): Promise<void> {
    const fromMs = Date.now()
    try {
      const mendedMs = await this.#disturb(it)
      const back = (this.backMs[it.is] ??= [])
      back.push(Date.now() - mendedMs)
    } catch (error) {
      this.problems.push(`${described(it)}: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      this.happened.push({ what: it.is, fromMs, toMs: Date.now() })
    }
  }

  /** Answers when nothing was done to it any more; resolves when it works again. */
  async #disturb(it: Disturbance): Promise<number> {
    const { nodes, cassandra, kafka } = this.#world
    switch (it.is) {
      case 'kill':
        return this.#kill(it.node, it.downMs, it.again)
      case 'stop': {
        nodes.freeze(it.node)
        await pause(it.forMs)
        nodes.thaw(it.node)
        const mendedMs = Date.now()
        await nodes.untilReady(it.node)
        return mendedMs
      }
      case 'cut':
        return this.#cut(it)
      case 'cassandra':
        return this.#restart(cassandra.nodes[it.server], it.downMs)
      case 'broker':
        return this.#restart(kafka.nodes[0], it.downMs)
      case 'rolling':
        return this.#rolling()
    }
  }

  async #kill(node: number, downMs: number, isAgain: boolean): Promise<number> {
    const { nodes } = this.#world
    await nodes.kill(node)
    await pause(downMs)
    let mendedMs = Date.now()
    if (isAgain) {
      const starting = nodes.start(node)
      await pause(AGAIN_MS)
      await nodes.kill(node)
      // What keeps it running starts it once more.
      mendedMs = Date.now()
      await starting
    } else await nodes.start(node)
    await nodes.untilReady(node)
    return mendedMs
  }

  async #cut({ one, other, cut, forMs }: Extract<Disturbance, { readonly is: 'cut' }>): Promise<number> {
    const { links, nodes } = this.#world
    const mend = links.cut(nodeName({ number: one }), nodeName({ number: other }), cut)
    // Now through the node whose words are lost, now through the one that does not hear them.
    await this.#noted(this.#takingBack.begin(this.#cuts++ % 2 === 0 ? one : other))
    await pause(forMs)
    mend()
    const mendedMs = Date.now()
    for (const node of [one, other]) await nodes.untilReady(node)
    return mendedMs
  }

  async #noted(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      this.problems.push(error instanceof Error ? error.message : String(error))
    })
  }

  async #restart(server: Server | undefined, downMs: number): Promise<number> {
    await server?.kill()
    await pause(downMs)
    const mendedMs = Date.now()
    await server?.start()
    return mendedMs
  }

  async #rolling(): Promise<number> {
    const { nodes } = this.#world
    const startedMs = Date.now()
    for (const node of nodes.all) {
      await nodes.stop(node)
      await nodes.start(node)
      await nodes.untilReady(node)
    }
    return startedMs
  }
}
