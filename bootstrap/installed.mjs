// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockedPackage */

/** @param {string} root */
const stampPath = (root) => join(root, 'node_modules', '.vouchsafe-lock-hash')

/** @param {string} root */
const lockHash = (root) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')

/** @param {string} path @returns {Record<string, LockedPackage>} */
const packagesIn = (path) => JSON.parse(readFileSync(path, 'utf8')).packages

/** @param {string} root */
export const writeStamp = (root) => writeFileSync(stampPath(root), lockHash(root))

/** @param {string} root */
const stampFits = (root) =>
  existsSync(stampPath(root)) && readFileSync(stampPath(root), 'utf8') === lockHash(root)

/**
 * True when node_modules is what package-lock.json says. The stamp answers at once; without a fitting one, npm's own
 * record decides, so that a plain `npm install` by hand counts too and nothing is installed twice.
 * @param {string} root
 */
export const packagesAreFresh = (root) => {
  if (stampFits(root)) return true
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  if (!recordFits(packagesIn(join(root, 'package-lock.json')), packagesIn(record))) return false
  writeStamp(root)
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
  Object.entries(packagesIn(join(root, 'package-lock.json')))
    .filter(([path, it]) => path.startsWith('node_modules/') && !it.link && meantForHere(it))
    .map(([path]) => join(root, path, 'package.json'))

/** @param {LockedPackage} it */
const meantForHere = ({ os, cpu, libc }) =>
  (os?.includes(process.platform) ?? true) &&
  (cpu?.includes(process.arch) ?? true) &&
  (libc?.includes('glibc') ?? true)
