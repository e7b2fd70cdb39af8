import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Its lines have the two ends of each IPv4 connection of this machine, and the number of its socket. */
const CONNECTIONS = '/proc/net/tcp'
const LOCAL_COLUMN = 1
const REMOTE_COLUMN = 2
const SOCKET_COLUMN = 9

/**
 * Which of these processes has the connection that comes from one port to another on this machine. All nodes reach a
 * node at one address, so nothing else tells the relay before it whose bytes it has.
 */
export const dialerOf = (
  fromPort: number,
  toPort: number,
  pids: ReadonlyMap<string, number>,
): string | null => {
  const hasIt = existsSync(CONNECTIONS) ? holderByProc(fromPort, toPort) : holderByLsof(fromPort, toPort)
  for (const [name, pid] of pids) if (hasIt(pid)) return name
  return null
}

type Holder = (pid: number) => boolean

const holderByProc = (fromPort: number, toPort: number): Holder => {
  const socket = socketBetween(fromPort, toPort)
  return (pid) => socket !== null && hasOpen(pid, `socket:[${socket}]`)
}

/** Of each process a line `p…` with its number, and behind it a line `n…` for each of its connections. */
const holderByLsof = (fromPort: number, toPort: number): Holder => {
  const found = new Set<number>()
  let pid = 0
  for (const line of lsof(fromPort).split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1))
    else if (line.endsWith(`:${fromPort}->127.0.0.1:${toPort}`)) found.add(pid)
  }
  return (each) => found.has(each)
}

const lsof = (port: number): string => {
  try {
    return execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-Fpn'], { encoding: 'utf8' })
  } catch {
    // It ends so where there is no such connection any more.
    return ''
  }
}

const socketBetween = (fromPort: number, toPort: number): string | null => {
  const [from, to] = [endOf(fromPort), endOf(toPort)]
  for (const line of readFileSync(CONNECTIONS, 'utf8').split('\n')) {
    const columns = line.trim().split(/\s+/)
    const isIt = columns[LOCAL_COLUMN]?.endsWith(from) && columns[REMOTE_COLUMN]?.endsWith(to)
    if (isIt) return columns[SOCKET_COLUMN] ?? null
  }
  return null
}

const endOf = (port: number): string => `:${port.toString(16).toUpperCase().padStart(4, '0')}`

const hasOpen = (pid: number, file: string): boolean => {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).some((each) => linkIn(`${folder}/${each}`) === file)
  } catch {
    // The process has ended.
    return false
  }
}

const linkIn = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    // It was closed meanwhile.
    return ''
  }
}
