import type { ShardOrders } from '../../../src/ports/shard-orders.ts'
import type { ClusterNode } from '../cluster-node.ts'
import type { World } from '../world.ts'

type Surroundings = {
  readonly world: World
  readonly shardCount: number
  readonly names: readonly string[]
  readonly nodes: () => readonly ClusterNode[]
}

/** A node that hangs while it stops comes back late, and drained where it was. */
const LET_GO_MS = 150_000

/** Orders whatever comes to mind, of any node, while things go wrong; in the end it lets everything go on by itself. */
export class Operator {
  readonly #around: Surroundings
  readonly #pauseMs: number

  constructor(around: Surroundings, pauseMs: number) {
    this.#around = around
    this.#pauseMs = pauseMs
  }

  start(): void {
    const { world } = this.#around
    world.at(world.random.next() * 2 * this.#pauseMs, null, () => {
      if (world.healed) return
      this.#give(this.#any())
      this.start()
    })
  }

  /** Repeats until nothing is frozen and every node takes part. */
  letGo(): void {
    const { world, names } = this.#around
    world.at(1_000, null, () => {
      for (const name of names) this.#give((orders) => orders.takePart(name))
      this.#give((orders) => orders.unfreeze())
      if (world.nowMs < this.#letGoUntilMs()) this.letGo()
    })
  }

  #until: number | null = null
  #letGoUntilMs(): number {
    this.#until ??= this.#around.world.nowMs + LET_GO_MS
    return this.#until
  }

  #any(): (orders: ShardOrders) => Promise<unknown> {
    const { world, shardCount, names } = this.#around
    const { random } = world
    const shard = random.below(shardCount)
    const node = random.pick(names)
    return random.pick<(orders: ShardOrders) => Promise<unknown>>([
      (orders) => orders.move(shard, node),
      (orders) => orders.move(shard, node),
      (orders) => orders.pin(shard),
      (orders) => orders.unpin(shard),
      (orders) => orders.drain(node),
      (orders) => orders.takePart(node),
      (orders) => orders.freeze(),
      (orders) => orders.unfreeze(),
      (orders) => orders.rebalance(),
      (orders) => orders.stop(),
    ])
  }

  /** An order that fails was perhaps carried out; nobody repeats it. */
  #give(order: (orders: ShardOrders) => Promise<unknown>): void {
    const { world, nodes } = this.#around
    const running = nodes()
    if (running.length === 0) return
    const { process, orders } = world.random.pick(running)
    world.at(0, process, () => {
      if (orders() !== null && process.acts()) order(orders() as ShardOrders).then(noted, noted)
    })
    const noted = (answer: unknown): void => {
      if (answer instanceof Error) world.note(() => `an order fails: ${answer.message}`)
    }
  }
}
