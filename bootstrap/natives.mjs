// @ts-check
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder } from './cache-folder.mjs'
import { causeOf, Failure } from './failure.mjs'

/** @typedef {import('./platform.mjs').Platform} Platform */
/** @typedef {{ file: string, sha256: string, archive: string, wheelPlatform: string }} Pin */
/** @typedef {{ name: string, version: string, variable: string, wheel: string, folderInWheel: string, archives: string, platforms: Record<Platform, Pin> }} Library */

/** @type {{ libraries: Library[], java: { version: string, wheel: string, platforms: Partial<Record<Platform, { wheelSha256: string, runtimeSha256: string, wheelPlatform: string }>> } }} */
export const pinned = JSON.parse(readFileSync(new URL('natives.json', import.meta.url), 'utf8'))

/** @param {Buffer} bytes */
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/**
 * Every library of this platform, checked against its pin, and the variables that tell the wrappers where they are.
 * A folder somebody named in such a variable is theirs to answer for.
 * @param {Platform} platform
 * @param {Record<string, string | undefined>} environment
 * @returns {Promise<Record<string, string>>}
 */
export const ensureNatives = async (platform, environment = process.env) => {
  /** @type {Record<string, string>} */
  const variables = {}
  for (const library of pinned.libraries) {
    const pin = library.platforms[platform]
    const own = environment[library.variable]
    const place = join('natives', pin.sha256.slice(0, 16))
    const isWholeIn = (/** @type {string} */ base) =>
      stateOf(join(base, place, pin.file), pin.sha256) === 'whole'
    const kept = join(cacheFolder(environment, isWholeIn), place)
    if (own && own !== kept) {
      if (!existsSync(join(own, pin.file))) {
        throw new Failure(
          `${library.variable} names ${own}, and there is no ${pin.file} in it: correct the variable or unset it.`,
        )
      }
      continue
    }
    await ensureLibrary(library, pin, join(kept, pin.file))
    variables[library.variable] = kept
  }
  return variables
}

/** @param {Library} library @param {Pin} pin @param {string} path */
const ensureLibrary = async (library, pin, path) => {
  const state = stateOf(path, pin.sha256)
  if (state === 'whole') return
  if (state === 'a folder') {
    throw new Failure(
      `${path} is a folder, and the library itself belongs there: remove it (rm -r ${path}) and start again.`,
    )
  }
  if (state === 'damaged')
    process.stderr.write(`${path} is damaged (its SHA-256 is not the pinned one); fetching it again.\n`)
  const { withProgress, megabytes } = await import('./progress.mjs')
  try {
    await withProgress(
      {
        doing: `Fetching ${pin.file} ${library.version}`,
        done: ({ size, from }) => `Fetched ${pin.file} ${library.version} from ${from}, ${megabytes(size)}`,
      },
      () => fetchLibrary(library, pin, path),
    )
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`${pin.file} could not be put into ${dirname(path)}: ${causeOf(error)}.`)
  }
}

/** @param {string} path @param {string} hash @returns {'whole' | 'damaged' | 'absent' | 'a folder'} */
const stateOf = (path, hash) => {
  if (!existsSync(path)) return 'absent'
  try {
    if (statSync(path).isDirectory()) return 'a folder'
    return sha256(readFileSync(path)) === hash ? 'whole' : 'damaged'
  } catch {
    return 'damaged'
  }
}

/** @param {Library} library @param {Pin} pin @param {string} path */
const fetchLibrary = async (library, pin, path) => {
  mkdirSync(dirname(path), { recursive: true })
  const upstream = await fromUpstream(library, pin)
  const bytes = upstream ?? (await fromWheel(library, pin, dirname(path)))
  const part = `${path}.${randomUUID()}`
  try {
    writeFileSync(part, bytes, { mode: 0o755 })
    renameSync(part, path)
  } finally {
    rmSync(part, { force: true })
  }
  return { size: bytes.length, from: upstream ? "upstream's release" : 'its PyPI wheel' }
}

/** @param {Library} library @param {Pin} pin */
const fromUpstream = async (library, pin) => {
  const { downloadFromUpstream } = await import('./upstream.mjs')
  const { fileInTarGz } = await import('./archives.mjs')
  const archive = await downloadFromUpstream(`${library.archives}/${pin.archive}`)
  try {
    const bytes = archive && fileInTarGz(archive, pin.file)
    return bytes && sha256(bytes) === pin.sha256 ? bytes : null
  } catch {
    // Not an archive (a captive portal's page, say): the wheel is next.
    return null
  }
}

/** @param {Library} library @param {Pin} pin @param {string} scratch */
const fromWheel = async (library, pin, scratch) => {
  const { downloadWheel } = await import('./wheel.mjs')
  const { zipEntries } = await import('./archives.mjs')
  const wheel = await downloadWheel(
    { wheel: library.wheel, version: library.version, wheelPlatform: pin.wheelPlatform },
    scratch,
  )
  const bytes = zipEntries(wheel)
    .find(({ name }) => name === `${library.folderInWheel}/${pin.file}`)
    ?.read()
  if (bytes === undefined || sha256(bytes) !== pin.sha256) {
    throw new Failure(
      `The wheel ${library.wheel}==${library.version} does not hold the ${pin.file} that is pinned in bootstrap/natives.json: do not trust that package index, and use PyPI itself.`,
    )
  }
  return bytes
}
