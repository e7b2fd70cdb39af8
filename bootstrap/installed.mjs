// @ts-check
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { causeOf, Failure } from './failure.mjs'

/** @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockedPackage */

/** @param {string} root */
const stampPath = (root) => join(root, 'node_modules', '.vouchsafe-lock-hash')

/** @param {string} root */
const lockText = (root) => {
  const path = join(root, 'package-lock.json')
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT')
      throw new Failure(`${path} cannot be read: ${causeOf(error)}.`)
    throw new Failure(
      `There is no package-lock.json in ${root}, and it says what to install: fetch the whole repository again (git checkout package-lock.json).`,
    )
  }
}

/** @param {string} root */
const lockHash = (root) => createHash('sha256').update(lockText(root)).digest('hex')

/**
 * The packages of a lock, or null when the text is none: cut off half-way, say.
 * @param {string} text
 * @returns {Record<string, LockedPackage> | null}
 */
const packagesIn = (text) => {
  try {
    const packages = JSON.parse(text)?.packages
    return typeof packages === 'object' ? packages : null
  } catch {
    return null
  }
}

/** @param {string} root */
const lockedPackages = (root) => {
  const packages = packagesIn(lockText(root))
  if (packages !== null) return packages
  throw new Failure(
    `${join(root, 'package-lock.json')} is damaged: fetch it again (git checkout package-lock.json) and start again.`,
  )
}

/** npm's own record, which a killed npm may have left half-written: then it counts as none. @param {string} root */
const installedPackages = (root) => {
  try {
    return packagesIn(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8'))
  } catch {
    return null
  }
}

/** @param {string} root */
export const writeStamp = (root) => writeFileSync(stampPath(root), lockHash(root))

/** @param {string} root */
const stampFits = (root) => {
  const hash = lockHash(root)
  try {
    return readFileSync(stampPath(root), 'utf8') === hash
  } catch {
    return false
  }
}

/**
 * True when node_modules is what package-lock.json says. The stamp answers at once; without a fitting one, npm's own
 * record decides, so that a plain `npm install` by hand counts too and nothing is installed twice.
 * @param {string} root
 */
export const packagesAreFresh = (root) => {
  if (stampFits(root)) return true
  const locked = lockedPackages(root)
  const installed = installedPackages(root)
  if (installed === null || !recordFits(locked, installed)) return false
  try {
    writeStamp(root)
  } catch {
    // A folder that cannot be written is whole all the same; the next start compares again.
  }
  return true
}

/**
 * @param {Record<string, LockedPackage>} locked
 * @param {Record<string, LockedPackage>} installed
 */
export const recordFits = (locked, installed) => {
  const names = Object.keys(locked).filter((path) => path.includes('node_modules/'))
  const foreign = Object.keys(installed).some((path) => path.includes('node_modules/') && !(path in locked))
  return !foreign && names.every((path) => fits(locked[path] ?? {}, installed[path]))
}

/** @param {LockedPackage} wanted @param {LockedPackage | undefined} found */
const fits = (wanted, found) => {
  if (found === undefined) return wanted.optional === true
  return wanted.version === found.version && wanted.integrity === found.integrity
}

/**
 * Folders npm will fill on this machine, to tell how far it is.
 * @param {string} root
 */
export const expectedFolders = (root) =>
  Object.entries(lockedPackages(root))
    .filter(([path, it]) => path.startsWith('node_modules/') && !it.link && meantForHere(it))
    .map(([path]) => join(root, path, 'package.json'))

/** @param {LockedPackage} it */
const meantForHere = ({ os, cpu, libc }) =>
  (os?.includes(process.platform) ?? true) &&
  (cpu?.includes(process.arch) ?? true) &&
  (libc?.includes('glibc') ?? true)
