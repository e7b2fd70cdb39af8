import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'

export type Genesis = { readonly text: string; readonly sha256: string }

type Source = Pick<Config['ledger'], 'genesisFile' | 'genesisUrl' | 'genesisSha256'>

const BYTES_MAX = 4 * 2 ** 20
const FETCH_TIMEOUT_MS = 20_000
const ENDING = '.txn'
const NAME = /^[0-9a-f]{64}\.txn$/

export const genesisOf = (text: string): Genesis => ({
  text,
  sha256: createHash('sha256').update(text).digest('hex'),
})

/** From the file or the address of the configuration; with a pinned checksum, nothing else is believed. */
export const readGenesis = async (source: Source, folder: string): Promise<Genesis> => {
  const { genesisFile, genesisUrl, genesisSha256 } = source
  const pinned = genesisSha256.toLowerCase()
  if (genesisUrl === '') return checked(genesisOf(readFileSync(genesisFile, 'utf8')), pinned, genesisFile)
  const kept = join(folder, `${pinned}${ENDING}`)
  // What was fetched once is not fetched again: a start does not depend on whoever offers it.
  if (existsSync(kept)) return checked(genesisOf(readFileSync(kept, 'utf8')), pinned, kept)
  return checked(genesisOf(await fetched(genesisUrl)), pinned, genesisUrl)
}

const checked = (genesis: Genesis, pinned: string, from: string): Genesis => {
  if (pinned === '' || genesis.sha256 === pinned) return genesis
  throw new Error(
    `the genesis transactions of ${from} have the checksum ${genesis.sha256}, not VOUCHSAFE_LEDGER_GENESIS_SHA256`,
  )
}

const fetched = async (url: string): Promise<string> => {
  const failed = (reason: string, cause?: unknown) =>
    new Error(`the genesis transactions could not be fetched from ${url}: ${reason}`, { cause })
  let response: Response
  try {
    response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
  } catch (cause) {
    throw failed('no answer came', cause)
  }
  if (!response.ok || response.body === null) throw failed(`it answered ${response.status}`)
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += part.byteLength
    if (bytes > BYTES_MAX) throw failed(`it has more than ${BYTES_MAX} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/**
 * Keeps the file that is in force beside the earlier ones, and answers with all of them, the one in force first: wallets
 * know a file by an address that has its checksum, and what they were told once stays there. A file that is not what its
 * name says was never told of.
 */
export const keepGenesis = (current: Genesis, folder: string): readonly Genesis[] => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${current.sha256}${ENDING}`)
  if (!existsSync(file)) {
    const part = `${file}.${process.pid}`
    writeFileSync(part, current.text, { mode: 0o600, flush: true })
    renameSync(part, file)
  }
  const earlier = readdirSync(folder)
    .filter((name) => NAME.test(name) && statSync(join(folder, name)).size <= BYTES_MAX)
    .map((name) => ({ name, genesis: genesisOf(readFileSync(join(folder, name), 'utf8')) }))
    .filter(({ name, genesis: { sha256 } }) => name === `${sha256}${ENDING}` && sha256 !== current.sha256)
    .map(({ genesis }) => genesis)
  return [current, ...earlier]
}
