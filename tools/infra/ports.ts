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

/** All are held while they are chosen, so that no two are the same. */
const freePorts = async (count: number): Promise<number[]> => {
  const held = await Promise.all(Array.from({ length: count }, hold))
  await Promise.all(held.map(({ release }) => release()))
  return held.map(({ port }) => port)
}

const hold = (): Promise<{ port: number; release: () => Promise<void> }> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      resolve({ port, release: () => new Promise((released) => server.close(() => released())) })
    })
  })

export const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
