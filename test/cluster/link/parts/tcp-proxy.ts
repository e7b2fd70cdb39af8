import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

export type Direction = 'forth' | 'back'

/** A network between a dialer and a node: it records, swallows or stalls one direction or both, and cuts. */
export class TcpProxy {
  readonly address: string
  readonly recorded: Buffer[] = []
  connections = 0
  readonly #swallowed = new Set<Direction>()
  /** What is read from each goes that way. */
  readonly #sockets = new Map<Socket, Direction>()

  private constructor(address: string) {
    this.address = address
  }

  static async to(target: () => string): Promise<TcpProxy> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const proxy = new TcpProxy(`127.0.0.1:${(server.address() as AddressInfo).port}`)
    server.on('connection', (socket) => proxy.#connected(socket, target()))
    onTestFinished(() => {
      server.close()
      proxy.cut()
    })
    return proxy
  }

  /** What is sent this way from now on never arrives, and nobody is told. */
  swallow(...directions: readonly Direction[]): void {
    for (const direction of directions) this.#swallowed.add(direction)
  }

  /** What is sent this way on the connections that there are waits from now on, as where nobody reads it. */
  stall(direction: Direction): void {
    for (const [socket, way] of this.#sockets) if (way === direction) socket.pause()
  }

  mend(): void {
    this.#swallowed.clear()
  }

  cut(): void {
    for (const socket of this.#sockets.keys()) socket.destroy()
  }

  #connected(near: Socket, target: string): void {
    this.connections++
    const [host, port] = target.split(':')
    const far = connect({ host: host ?? '', port: Number(port) })
    this.#pass(near, far, 'forth')
    this.#pass(far, near, 'back')
  }

  #pass(from: Socket, to: Socket, direction: Direction): void {
    this.#sockets.set(from, direction)
    from.on('error', () => {})
    from.on('data', (bytes) => {
      this.recorded.push(bytes)
      if (!this.#swallowed.has(direction)) to.write(bytes)
    })
    from.on('close', () => {
      this.#sockets.delete(from)
      // A network that swallows a direction swallows its end as well.
      if (!this.#swallowed.has(direction)) to.destroy()
    })
  }
}
