import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const GIGABYTE = 2 ** 30
/** What the tests of one moment leave lying, several times over. */
const ROOM_BYTES_MIN = 4 * GIGABYTE
/** So much is free beside it for the servers and nodes that they start. */
const FREE_BYTES_MIN = 12 * GIGABYTE

/** Servers that live for a minute: the second compiler of Java works for one that lives for hours. */
const BRIEF_JAVA = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData'

/**
 * What suites run in: a folder for all their files, which is gone when they are, and variables that spare a machine of two
 * cores what hundreds of short processes would do again and again. The files are in memory where there is enough of it:
 * a process that is killed loses nothing that it has written, there as on a disk.
 */
export const openSurroundings = (memory = MEMORY) => {
  const folder = mkdtempSync(join(isRoomy(memory) ? memory : tmpdir(), 'vouchsafe-tests-'))
  // Tests that run as another user must get to their own folders in it.
  chmodSync(folder, 0o711)
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  // A run that is ended by Ctrl-C leaves nothing in memory.
  process.once('exit', remove)
  return {
    folder,
    environment: {
      TMPDIR: folder,
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      JDK_JAVA_OPTIONS: [process.env['JDK_JAVA_OPTIONS'], BRIEF_JAVA].filter(Boolean).join(' '),
    },
    close: (): void => {
      process.off('exit', remove)
      remove()
    },
  }
}

/** Libraries that are unpacked there must be allowed to run, which containers forbid more often than not. */
const isRoomy = (folder: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ROOM_BYTES_MIN && freemem() >= FREE_BYTES_MIN && mayRun(folder)
  } catch {
    return false
  }
}

const mayRun = (folder: string): boolean => {
  const own = mkdtempSync(join(folder, 'vouchsafe-runs-'))
  try {
    const program = join(own, 'program')
    writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o700 })
    return spawnSync(program).status === 0
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
