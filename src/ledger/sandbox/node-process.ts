import { NodeSocket } from './node-socket.ts'
import { nodeOf } from './pool.ts'

/** A validator by itself: a process that can be killed, and asks the ledger that all of them share. */

export type NodeStart = {
  readonly secret: string
  readonly alias: string
  readonly host: string
  readonly clientPort: number
}
export type ToNode = NodeStart | { readonly asked: number; readonly answers: readonly string[] }
export type FromNode =
  | { readonly is: 'ready' }
  | { readonly is: 'failed'; readonly reason: string }
  | { readonly is: 'asks'; readonly ask: number; readonly text: string }

const send = (message: FromNode): void => void process.send?.(message)

let asked = 0
const waiting = new Map<number, (answers: readonly string[]) => void>()

const ask = (text: string): Promise<readonly string[]> =>
  new Promise((resolve) => {
    const number = ++asked
    waiting.set(number, resolve)
    send({ is: 'asks', ask: number, text })
  })

const serve = async ({ secret, alias, host, clientPort }: NodeStart): Promise<void> => {
  try {
    await new NodeSocket().open(nodeOf(Buffer.from(secret, 'hex'), alias, clientPort), host, ask)
    send({ is: 'ready' })
  } catch (error) {
    send({ is: 'failed', reason: error instanceof Error ? error.message : String(error) })
    process.disconnect?.()
  }
}

process.on('message', (message: ToNode) => {
  if ('secret' in message) return void serve(message)
  waiting.get(message.asked)?.(message.answers)
  waiting.delete(message.asked)
})
// Its sockets abort a process that ends by itself while they are open.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
