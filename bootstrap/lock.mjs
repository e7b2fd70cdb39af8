// @ts-check
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const BEAT_MS = 1_000
const DEAD_AFTER_MS = 15_000
const SETTLE_MS = 150

/**
 * Only one process at a time does the work. The holder keeps the file's time fresh; a file gone stale belongs to a
 * process that died, and is moved aside. After doing so the mover looks once more, in case two moved at once.
 * @template Result
 * @param {string} path
 * @param {() => Promise<Result>} work
 * @param {() => void} onWait told once, when another process holds the lock
 * @returns {Promise<Result>}
 */
export const withLock = async (path, work, onWait = () => {}) => {
  const token = `${hostname()} ${process.pid} ${randomUUID()}`
  await acquire(path, token, onWait)
  const release = () => {
    if (holds(path, token)) rmSync(path, { force: true })
  }
  const beating = setInterval(() => touch(path), BEAT_MS)
  beating.unref()
  process.once('exit', release)
  try {
    return await work()
  } finally {
    clearInterval(beating)
    process.off('exit', release)
    release()
  }
}

/**
 * @param {string} path
 * @param {string} token
 * @param {() => void} onWait
 */
const acquire = async (path, token, onWait) => {
  mkdirSync(dirname(path), { recursive: true })
  for (let waited = false; ; ) {
    const stole = moveAsideIfStale(path)
    if (create(path, token)) {
      if (!stole) return
      await pause(SETTLE_MS)
      if (holds(path, token)) return
    }
    if (!waited) onWait()
    waited = true
    await pause(200)
  }
}

/** @param {string} path @param {string} token */
const create = (path, token) => {
  try {
    writeFileSync(path, token, { flag: 'wx' })
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false
    throw error
  }
}

/** @param {string} path */
const moveAsideIfStale = (path) => {
  try {
    if (Date.now() - statSync(path).mtimeMs < DEAD_AFTER_MS && holderLives(path)) return false
    const aside = `${path}.${randomUUID()}`
    renameSync(path, aside)
    rmSync(aside, { force: true })
    return true
  } catch {
    return false
  }
}

/** @param {string} path */
const holderLives = (path) => {
  const [host, holder] = readFileSync(path, 'utf8').split(' ')
  // Another machine's processes can't be asked, and a file just created may still be empty: there its age decides.
  if (host !== hostname() || holder === undefined) return true
  try {
    process.kill(Number(holder), 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/** @param {string} path @param {string} token */
const holds = (path, token) => {
  try {
    return readFileSync(path, 'utf8') === token
  } catch {
    return false
  }
}

/** @param {string} path */
const touch = (path) => {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // Removed by hand: the work goes on, and the next start takes a new lock.
  }
}
