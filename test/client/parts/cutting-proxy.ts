import { connect, createServer, type Socket } from 'node:net'

/** A way to the service on which answers get lost: the request arrives, and the connection ends instead of answering. */
export const startCuttingProxy = async (port: number) => {
  let cuts = 0
  let lost = 0
  const open = new Set<Socket>()
  const server = createServer((inbound) => {
    const outbound = connect(port, '127.0.0.1')
    for (const socket of [inbound, outbound]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        inbound.destroy()
        outbound.destroy()
      })
    }
    inbound.pipe(outbound)
    outbound.on('data', (chunk: Buffer) => {
      if (cuts === 0) return void inbound.write(chunk)
      cuts -= 1
      lost += 1
      inbound.resetAndDestroy()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** The next answers do not arrive. */
    cut: (count: number) => {
      cuts = count
    },
    lost: () => lost,
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
