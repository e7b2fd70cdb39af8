import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reservePorts } from '../../src/ledger/sandbox/reserved-ports.ts'

/**
 * Ports stay with the data: nodes know each other by address and port, and find one another again after a restart.
 * What is neither asked for nor remembered is a port of which this process has a reservation.
 */
export const portsOf = async (
  dataDir: string,
  wanted: Readonly<Record<string, number | undefined>>,
): Promise<Record<string, number>> => {
  const file = join(dataDir, 'ports.json')
  const remembered = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>)
    : {}
  const all: Record<string, number> = {}
  for (const [name, port] of Object.entries(wanted))
    all[name] = port ?? remembered[name] ?? (await reservePorts(1))
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(file, JSON.stringify(all))
  return all
}
