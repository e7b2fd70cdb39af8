import { hash as hashOf } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { cacheFolder } from '../../bootstrap/cache-folder.mjs'
import { causeOf, Failure } from '../../bootstrap/failure.mjs'
import { megabytes, withProgress } from '../../bootstrap/progress.mjs'
import { mavenAddress } from './maven-address.ts'
import { putWhole } from './put-whole.ts'
import pins from './jars.json' with { type: 'json' }

export type ServerKind = 'cassandra' | 'kafka'

const AT_ONCE = 8
const TRIES = 3
const DOWNLOAD_TIMEOUT_MS = 120_000

const isWhole = ({ file, hash }: Jar): boolean =>
  existsSync(file) && hashOf('sha256', readFileSync(file)) === hash

/** The class path of a server; what is missing or damaged in the cache is fetched, and everything checked by its pin. */
export const classPath = async (
  kind: ServerKind,
  repository = process.env['MAVEN_REPO_URL'],
): Promise<string[]> => {
  const jarsIn = (base: string): Jar[] =>
    Object.entries(pins[kind].jars).map(([path, hash]) => ({ path, hash, file: join(base, 'jars', path) }))
  const isWholeIn = (base: string): boolean => jarsIn(base).every(isWhole)
  const jars = jarsIn(cacheFolder(process.env, isWholeIn))
  const missing = jars.filter((jar) => !isWhole(jar))
  if (missing.length > 0) await fetchAll(kind, missing, await mavenAddress(repository))
  return jars.map(({ file }) => file)
}

type Jar = { readonly path: string; readonly hash: string; readonly file: string }

const fetchAll = async (kind: ServerKind, jars: readonly Jar[], repository: string): Promise<void> => {
  const many = jars.length === 1 ? '1 jar' : `${jars.length} jars`
  const limit = pLimit(AT_ONCE)
  let bytes = 0
  const fetchOne = async (jar: Jar): Promise<void> => {
    const size = await fetchJar(jar, repository)
    bytes += size
  }
  await withProgress(
    {
      doing: `Fetching ${many} for ${kind}`,
      measure: () => `${jars.length - limit.pendingCount} of ${jars.length}, ${megabytes(bytes)}`,
      done: () => `Fetched ${many} for ${kind}, ${megabytes(bytes)}`,
    },
    () => limit.map(jars, fetchOne),
  )
}

const fetchJar = async ({ path, hash, file }: Jar, repository: string): Promise<number> => {
  const bytes = await download(`${repository}/${path}`)
  if (hashOf('sha256', bytes) !== hash) {
    throw new Failure(
      `${path} has another SHA-256 than the one in tools/infra/jars.json: do not trust ${repository}, and use Maven Central itself.`,
    )
  }
  putWhole(file, { what: path, folder: cacheFolder() }, (part) => writeFileSync(part, bytes))
  return bytes.length
}

const download = async (address: string): Promise<Buffer> => {
  for (let tried = 1; ; tried += 1) {
    try {
      const answer = await fetch(address, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) })
      if (!answer.ok) throw new Error(`it answered ${answer.status} for ${address}`)
      return Buffer.from(await answer.arrayBuffer())
    } catch (error) {
      if (tried < TRIES) await pause(500 * tried)
      else
        throw new Failure(
          `The jars could not be fetched from the Maven repository: ${causeOf(error)}. ${proxyHint()}`,
        )
    }
  }
}

const proxyHint = (): string =>
  process.env['HTTPS_PROXY'] && !process.env['NODE_USE_ENV_PROXY']
    ? 'Behind a proxy set NODE_USE_ENV_PROXY=1 too.'
    : 'A mirror can be named in MAVEN_REPO_URL.'
