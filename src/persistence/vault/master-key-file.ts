import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { KEY_BYTES, newKey } from './key-crypto.ts'

/**
 * The file has one line per key, `id key`, the newest last. The id is a checksum of the key, so that a damaged line is
 * noticed.
 */
export type MasterKeyEntry = { readonly id: string; readonly key: Buffer }

const ENTRIES_MAX = 8
const BYTES_MAX = 4_096
const LINE = /^([0-9a-f]{16}) ([A-Za-z0-9_-]{43})$/
const PREAMBLE =
  '# Master keys of the vault. Keep a copy apart from the data: without it nothing sealed can be read.\n'

/** The file cannot be used; the message is one sentence for the operator. */
export class MasterKeyFileError extends Error {
  override readonly name = 'MasterKeyFileError'
}

export const newMasterKey = (): MasterKeyEntry => {
  const key = newKey()
  return { id: masterKeyId(key), key }
}

const masterKeyId = (key: Buffer): string =>
  createHash('sha256').update('vouchsafe master key').update(key).digest('hex').slice(0, 16)

/** Null when there is no such file. */
export const readMasterKeyFile = (file: string): readonly MasterKeyEntry[] | null => {
  const descriptor = openUnlessMissing(file)
  if (descriptor === null) return null
  try {
    // The check uses the open descriptor, so that the file cannot be swapped between the check and the read.
    const stat = fstatSync(descriptor)
    const reason = unsafeReason(stat, process.geteuid?.() ?? stat.uid)
    if (reason !== null) throw new MasterKeyFileError(`The master key file ${file} ${reason}.`)
    const bytes = Buffer.alloc(BYTES_MAX + 1)
    const length = readSync(descriptor, bytes, 0, bytes.length, 0)
    return parse(file, bytes.subarray(0, length))
  } finally {
    closeSync(descriptor)
  }
}

export const existingMasterKeys = (file: string): readonly MasterKeyEntry[] => {
  const entries = readMasterKeyFile(file)
  if (entries === null) throw new MasterKeyFileError(`The master key file ${file} does not exist.`)
  return entries
}

/** Never replaces an existing file, whose master key would be lost. */
export const createMasterKeyFile = (file: string, entry: MasterKeyEntry): void => {
  const draft = writeDraft(file, [entry])
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new MasterKeyFileError(`${file} exists already: a master key file is never overwritten.`, {
      cause: error,
    })
  } finally {
    rmSync(draft)
  }
  syncFolder(file)
}

/** Atomic: a crash leaves the old content or the new one. The old keys are overwritten in place on the disk. */
export const replaceMasterKeyFile = (file: string, entries: readonly MasterKeyEntry[]): void => {
  const old = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    refuseLinked(file, fstatSync(old))
    const draft = writeDraft(file, entries)
    renameSync(draft, file)
    syncFolder(file)
    wipe(file, old)
  } finally {
    closeSync(old)
  }
}

/** Overwrites what no name leads to any more; a name that came while the file was replaced may be a backup. */
export const wipe = (file: string, old: number): void => {
  const { nlink, size } = fstatSync(old)
  if (nlink > 0)
    throw new MasterKeyFileError(
      `The master key file ${file} is replaced, but its old content was given another name (hard link) meanwhile and was not wiped: delete that name if it is no backup.`,
    )
  writeSync(old, Buffer.alloc(size), 0, undefined, 0)
  fsyncSync(old)
}

/**
 * A hard link is the same bytes under another name, such as a backup by `cp -l`: it would be overwritten
 * with them. One is ours: a crash while the file was made leaves its draft.
 */
const refuseLinked = (file: string, { nlink, ino }: Pick<Stats, 'nlink' | 'ino'>): void => {
  const isOurs = statSync(draftOf(file), { throwIfNoEntry: false })?.ino === ino
  if (nlink === (isOurs ? 2 : 1)) return
  throw new MasterKeyFileError(
    `The master key file ${file} has ${nlink} names (hard links), and a rotation would wipe them all: copy it to a file of its own first (cp ${file} ${file}.own && mv ${file}.own ${file}).`,
  )
}

const openUnlessMissing = (file: string): number | null => {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') return null
    const reason =
      code === 'ELOOP'
        ? 'is a symbolic link: name the file itself'
        : `can't be opened (${code ?? 'unknown reason'})`
    throw new MasterKeyFileError(`The master key file ${file} ${reason}.`, { cause: error })
  }
}

/** Why a file with these attributes cannot be trusted with the master key; null when it can. */
export const unsafeReason = (
  stat: Pick<Stats, 'isFile' | 'mode' | 'uid' | 'size'>,
  effectiveUser: number,
): string | null => {
  if (!stat.isFile()) return 'is not a regular file'
  if ((stat.mode & 0o077) !== 0) return 'can be read by others than its owner: run chmod 600 on it'
  if (stat.uid !== effectiveUser && effectiveUser !== 0)
    return `belongs to another user (${stat.uid}): run chown on it`
  return stat.size > BYTES_MAX ? `has ${stat.size} bytes, a key file has at most ${BYTES_MAX}` : null
}

const parse = (file: string, bytes: Buffer): readonly MasterKeyEntry[] => {
  const lines = bytes.toString('latin1').split('\n')
  const entries = lines.flatMap((line, index) => {
    if (line === '' || line.startsWith('#')) return []
    const [, id = '', text = ''] = LINE.exec(line) ?? []
    const key = Buffer.from(text, 'base64url')
    if (key.length !== KEY_BYTES || masterKeyId(key) !== id)
      throw new MasterKeyFileError(
        `The master key file ${file} is damaged at line ${index + 1}: restore your copy of it.`,
      )
    return [{ id, key }]
  })
  if (entries.length === 0 || entries.length > ENTRIES_MAX)
    throw new MasterKeyFileError(
      `The master key file ${file} has ${entries.length} keys: restore your copy of it.`,
    )
  return entries
}

const draftOf = (file: string): string => `${file}.new`

/** Replaces the leftover of a crash, whose key was never used. */
const writeDraft = (file: string, entries: readonly MasterKeyEntry[]): string => {
  const draft = draftOf(file)
  rmSync(draft, { force: true })
  const lines = entries.map(({ id, key }) => `${id} ${key.toString('base64url')}\n`)
  writeFileSync(draft, PREAMBLE + lines.join(''), { flag: 'wx', mode: 0o600, flush: true })
  return draft
}

const syncFolder = (file: string): void => {
  const descriptor = openSync(dirname(file), constants.O_RDONLY)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
