import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

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
): string | null => (process.platform === 'linux' ? byProc : byLsof)(fromPort, toPort, pids)

/** Where there is no /proc. */
const byLsof: typeof dialerOf = (fromPort, _toPort, pids) => {
  const found = spawnSync('lsof', ['-nP', '-t', `-iTCP:${fromPort}`], { encoding: 'utf8' })
  const holders = new Set(found.stdout?.split('\n').map(Number))
  for (const [name, pid] of pids) if (holders.has(pid)) return name
  return null
}

const byProc: typeof dialerOf = (fromPort, toPort, pids) => {
  const socket = socketBetween(fromPort, toPort)
  if (socket === null) return null
  for (const [name, pid] of pids) if (hasOpen(pid, `socket:[${socket}]`)) return name
  return null
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
