import { ModuleProcess } from '../../harness/module-process.ts'
import { Restarting } from '../../harness/restarting.ts'
import { within } from '../../harness/waiting.ts'
import type { CounterCommand, CounterReply } from '../../simulate/counter.ts'
import type { Asked, NodeEvent, NodeSettings } from './node-process.ts'

type NodeModule = typeof import('./node-process.ts')

export class Refused extends Error {
  readonly code: string
  readonly retryable: boolean
  constructor(code: string, retryable: boolean) {
    super(code)
    this.code = code
    this.retryable = retryable
  }
}

const STOP_LIMIT_MS = 40_000
/** A frozen process answers no call. */
const CALL_LIMIT_MS = 10 * 60_000

/** A node of the service whose process is started again whenever it has ended, until it is stopped. */
export class Node extends Restarting<ModuleProcess<NodeModule>> {
  constructor(settings: NodeSettings, happened: (event: NodeEvent) => void) {
    const file = new URL('./node-process.ts', import.meta.url)
    const options = {
      callTimeoutMs: CALL_LIMIT_MS,
      onMessage: (event: unknown) => happened(event as NodeEvent),
    }
    super({
      open: () => new ModuleProcess<NodeModule>(file, options),
      ready: (running) => running.call('start', settings),
      stop: async (running) => {
        const otherwise = () => new Error('the node did not stop')
        await within(running.call('stop'), { limitMs: STOP_LIMIT_MS, otherwise }).catch(() => undefined)
        await running[Symbol.asyncDispose]()
        return running.ended
      },
    })
  }

  async ask(actor: string, command: CounterCommand, commandId: string): Promise<CounterReply> {
    const running = this.ready
    if (running === null) throw new Refused('not running', true)
    let asked: Asked
    try {
      asked = (await running.call('ask', actor, command, commandId)).value
    } catch {
      throw new Refused('ended', true)
    }
    if ('reply' in asked) return asked.reply
    throw new Refused(asked.refusal, asked.retryable)
  }
}
