import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { FromNode, NodeStart, ToNode } from './node-process.ts'
import { openSandboxLedger, type SandboxOptions, type SandboxPool } from './pool.ts'

export type NodePool = SandboxPool & {
  /** The process of each node; null of one that is dead. */
  readonly nodes: () => readonly { readonly alias: string; readonly pid: number | null }[]
  /** Starts those that are dead again; resolves when all of them answer. */
  readonly revive: () => Promise<void>
}

/** As many as must agree on a write of four: three, so that one may be missing. */
const QUORUM = 3

/**
 * The sandbox with a process for each of its four nodes, which can be killed one by one: with one dead all goes on, with
 * two dead reads are answered and writes wait. They share one ledger, which this process keeps.
 */
export const startNodePool = async (
  options: SandboxOptions & {
    /** Called when the process of a node ends that was not told to. */
    readonly died?: (alias: string) => void
  },
): Promise<NodePool> => {
  const living = new Map<string, ChildProcess>()
  const sandbox = openSandboxLedger(options, () => living.size >= QUORUM)
  const { secret, ledger, genesis, trustee, endorser } = sandbox
  const start = async (alias: string, clientPort: number): Promise<void> => {
    const child = fork(new URL('./node-process.ts', import.meta.url), {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const order: NodeStart = { secret: secret.toString('hex'), alias, host: options.host, clientPort }
    child.on('message', (message: FromNode) => {
      if (message.is !== 'asks') return
      const answer: ToNode = { asked: message.ask, answers: ledger.answerTexts(message.text) }
      if (child.connected) child.send(answer, () => undefined)
    })
    child.once('exit', () => {
      if (living.get(alias) !== child) return
      living.delete(alias)
      options.died?.(alias)
    })
    child.send(order, () => undefined)
    const [first] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [FromNode | number]
    if (typeof first !== 'object' || first === null || first.is !== 'ready') {
      child.kill('SIGKILL')
      const reason = typeof first === 'object' && first?.is === 'failed' ? first.reason : 'its process ended'
      throw new Error(`${alias} could not start on port ${clientPort}: ${reason}`)
    }
    living.set(alias, child)
  }
  const revive = async (): Promise<void> => {
    const dead = sandbox.nodes.filter(({ alias }) => !living.has(alias))
    await Promise.all(dead.map(({ alias, clientPort }) => start(alias, clientPort)))
  }
  const dispose = async (): Promise<void> => {
    const children = [...living.values()]
    living.clear()
    const ends = children.map((child) => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      return ended
    })
    await Promise.all(ends)
    sandbox.file[Symbol.dispose]()
  }
  try {
    await revive()
  } catch (error) {
    await dispose()
    throw error
  }
  return {
    genesis,
    trustee,
    endorser,
    size: () => ledger.size,
    nodes: () => sandbox.nodes.map(({ alias }) => ({ alias, pid: living.get(alias)?.pid ?? null })),
    revive,
    [Symbol.asyncDispose]: dispose,
  }
}
