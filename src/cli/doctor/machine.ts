import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { type Check, type Finding, always, broken, causeOf, fine } from './check.ts'

const FREE_BYTES_MIN = 512 * 1024 * 1024
const HEALTH_TIMEOUT_MS = 1_000

export const dataFolder: Check = {
  name: 'data folder',
  applies: always,
  run: async ({ storage }) => {
    const folder = resolve(storage.dataFolder)
    const trial = join(folder, `.doctor-${randomUUID()}`)
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(trial, 'trial', { flush: true })
      rmSync(trial)
    } catch (error) {
      return broken(
        `${folder} cannot be written (${causeOf(error)})`,
        'give this user the right to write there, or name another folder in VOUCHSAFE_DATA_FOLDER',
      )
    }
    const { bavail, bsize } = statfsSync(folder)
    const free = `${((bavail * bsize) / 1e9).toFixed(1)} GB free`
    return bavail * bsize >= FREE_BYTES_MIN
      ? fine(`${folder} can be written, ${free}`)
      : broken(
          `${folder} has only ${free}`,
          'free some space: a full disk makes the service answer 503 until there is room again',
        )
  },
}

export const publicPort: Check = {
  name: 'public port',
  applies: always,
  run: async ({ http }) => portFree(http.host, http.port, 'PORT', '/v1/health'),
}

export const privatePort: Check = {
  name: 'private port',
  applies: always,
  run: async ({ operations }) =>
    portFree(operations.privateHost, operations.privatePort, 'VOUCHSAFE_PRIVATE_PORT', '/live'),
}

const portFree = async (
  host: Config['http']['host'],
  port: number,
  variable: string,
  path: string,
): Promise<Finding> => {
  const where = `${host}:${port}`
  const failure = await tryToListen(host, port)
  if (failure === null) return fine(port === 0 ? `the system chooses one on ${host}` : `${where} is free`)
  if (failure !== 'EADDRINUSE')
    return broken(
      `cannot listen on ${where} (${failure})`,
      `set VOUCHSAFE_HOST or ${variable} to an address of this machine`,
    )
  return (await answersLikeUs(host, port, path))
    ? fine(`${where} is used by a Vouchsafe that runs already`)
    : broken(
        `${where} is used by another program`,
        `stop that program, or choose another port in ${variable}`,
      )
}

const tryToListen = (host: string, port: number): Promise<string | null> =>
  new Promise((done) => {
    const server = createServer()
    server.once('error', (error) => done(causeOf(error)))
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(null)))
  })

const answersLikeUs = async (host: string, port: number, path: string): Promise<boolean> => {
  const everywhere = host === '0.0.0.0' || host === '::'
  try {
    const response = await fetch(`http://${everywhere ? '127.0.0.1' : host}:${port}${path}`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    })
    return ['live\n', '{"status":"ok"}', '{"status":"degraded"}'].includes(await response.text())
  } catch {
    return false
  }
}
