import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/**
 * Ports stay with the data: nodes know each other by address and port, and find one another again after a restart.
 * What is neither asked for nor remembered is a port nobody listens on right now.
 */
export const portsOf = async (
  dataDir: string,
  wanted: Readonly<Record<string, number | undefined>>,
): Promise<Record<string, number>> => {
  const file = join(dataDir, 'ports.json')
  const remembered = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>)
    : {}
  const names = Object.keys(wanted)
  const free = await freePorts(names.length)
  const ports = names.map((name, index) => [name, wanted[name] ?? remembered[name] ?? free[index] ?? 0])
  const all = Object.fromEntries(ports) as Record<string, number>
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(file, JSON.stringify(all))
  return all
}

/**
 * From below what systems give to outgoing connections: until the server listens, seconds later or after a restart,
 * any connection of this machine may have got one of those.
 */
const FIRST_PORT = 20_000
const LAST_PORT = 32_000

/** A port for a server that is to keep it over its restarts. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0] ?? 0

const freePorts = async (count: number): Promise<number[]> => {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    if (await isFree('127.0.0.1', port)) ports.add(port)
  }
  return [...ports]
}

export const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
