import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below what systems give to outgoing connections: any connection of this machine may get a port from above. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_000]
const ATTEMPTS = 500
const HOST = '127.0.0.1'

/**
 * The first of so many free ports in a row, which no other process gets from here while this one lives. A server takes
 * seconds until it listens, and none listens while it restarts. The sign of a reservation is the UDP socket of the same
 * number: the system gives it to one process only and takes it back when the process ends, however it ends.
 */
export const reservePorts = async (count: number): Promise<number> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const first = randomInt(FIRST_PORT, LAST_PORT - count)
    const releases = await reserveInARow(first, count)
    if (releases.length === count) return first
    for (const release of releases) release()
  }
  throw new Error(`${count} free ports in a row were not found; set VOUCHSAFE_SANDBOX_PORT`)
}

const reserveInARow = async (first: number, count: number): Promise<(() => void)[]> => {
  const releases: (() => void)[] = []
  for (let port = first; port < first + count; port++) {
    const release = await reserve(port)
    if (release === null) break
    releases.push(release)
    if (!(await isFree(HOST, port))) break
  }
  return releases
}

/** Null when a process holds the reservation, this one included. */
const reserve = async (port: number): Promise<(() => void) | null> => {
  const socket = createSocket('udp4')
  try {
    socket.bind({ port, address: HOST, exclusive: true })
    await once(socket, 'listening')
    socket.unref()
    return () => socket.close()
  } catch {
    socket.close()
    return null
  }
}

export const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
