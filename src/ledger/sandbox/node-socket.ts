import { setTimeout as delay } from 'node:timers/promises'
import { Router } from 'zeromq'
import { curveKeys } from './identities.ts'
import type { PoolNode } from './genesis.ts'

/** What a node answers to one message, in order: JSON texts, because request ids have more digits than numbers here. */
type Answers = (text: string) => readonly string[] | Promise<readonly string[]>

const MESSAGE_BYTES_MAX = 256 * 1024
const ANSWERS_QUEUED_MAX = 10_000
const BIND_ATTEMPTS_MAX = 20
const BIND_PAUSE_MS = 100

/** The client socket of one validator: CurveZMQ, frames `[client, JSON text]`, `pi` answered by `po`. */
export class NodeSocket {
  readonly #socket = new Router({ linger: 0, sendHighWaterMark: ANSWERS_QUEUED_MAX })
  #done: Promise<void> = Promise.resolve()

  async open(node: PoolNode, host: string, answers: Answers): Promise<void> {
    const { publicKey, secretKey } = curveKeys(node.identity)
    this.#socket.curveServer = true
    this.#socket.curvePublicKey = publicKey
    this.#socket.curveSecretKey = secretKey
    this.#socket.maxMessageSize = MESSAGE_BYTES_MAX
    await this.#bind(`tcp://${host}:${node.clientPort}`)
    this.#done = this.#serve(answers)
  }

  /** A socket that was just closed holds its port until the transport's own thread releases it. */
  async #bind(address: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#socket.bind(address)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || attempt === BIND_ATTEMPTS_MAX)
          throw error
        await delay(BIND_PAUSE_MS)
      }
    }
  }

  async #serve(answersTo: Answers): Promise<void> {
    for await (const [client, message] of this.#socket) {
      if (client === undefined || message === undefined) continue
      const text = message.toString('utf8')
      const answers = text === 'pi' ? ['po'] : await answersTo(text)
      for (const answer of answers) await this.#send(client, answer)
    }
  }

  /** A client that disconnected loses its answer and asks again; the node goes on. */
  async #send(client: Buffer, answer: string): Promise<void> {
    try {
      await this.#socket.send([client, answer])
    } catch (error) {
      if (this.#socket.closed) return
      if ((error as NodeJS.ErrnoException).code !== 'EHOSTUNREACH') throw error
    }
  }

  async close(): Promise<void> {
    this.#socket.close()
    await this.#done.catch(() => undefined)
  }
}
