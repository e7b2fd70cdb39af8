import { ModuleProcess } from '../../harness/module-process.ts'
import { Restarting } from '../../harness/restarting.ts'
import { within } from '../../../src/timing/within.ts'
import type { CounterCommand } from '../../simulate/counter.ts'
import type { Asked, NodeEvent, NodeSettings } from './node-process.ts'

type NodeModule = typeof import('./node-process.ts')

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
        const stopped = within(STOP_LIMIT_MS, running.call('stop'), () => new Error('the node did not stop'))
        await stopped.catch(() => undefined)
        await running[Symbol.asyncDispose]()
        return running.ended
      },
    })
  }

  async ask(actor: string, command: CounterCommand, commandId: string): Promise<Asked> {
    const running = this.ready
    if (running === null) return { refusal: 'not running', retryable: true }
    try {
      return (await running.call('ask', actor, command, commandId)).value
    } catch {
      return { refusal: 'ended', retryable: true }
    }
  }
}
