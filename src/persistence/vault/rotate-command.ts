import { takeLock } from '../sqlite/folder-lock.ts'
import { FileMasterKeys } from './file-master-keys.ts'
import type { KeyStore } from './key-store-port.ts'
import {
  existingMasterKeys,
  type MasterKeyEntry,
  MasterKeyFileError,
  newMasterKey,
  replaceMasterKeyFile,
} from './master-key-file.ts'
import { mastersInUse, rewrapTenantKeys, type RotationProgress } from './rotation.ts'

export type RotationResult =
  /** The key file now has a new key that is not in use yet: bring the file to every node, then rotate again. */
  | { readonly is: 'prepared'; readonly next: string }
  | { readonly is: 'rotated'; readonly current: string; readonly rewrapped: number }

export type RotationOptions = {
  readonly store: KeyStore
  readonly keyFile: string
  /** False when other machines have copies of the key file, which the new key must reach before it is used. */
  readonly onlyThisMachine: boolean
  readonly progress?: RotationProgress
}

/**
 * Rotates the master key of a file. The file records the progress: with one key a new rotation begins; with more, the
 * last key is the new one of a rotation that was begun. So a crash at any point is repaired by running it again.
 */
export const rotateMasterKey = async (options: RotationOptions): Promise<RotationResult> => {
  const lock = takeLock(`${options.keyFile}.lock`)
  if (lock === null)
    throw new MasterKeyFileError(`Another rotation of ${options.keyFile} is running: wait for it.`)
  try {
    return await rotate(options)
  } finally {
    lock[Symbol.dispose]()
  }
}

const rotate = async (options: RotationOptions): Promise<RotationResult> => {
  const { store, keyFile, onlyThisMachine } = options
  const begun = existingMasterKeys(keyFile)
  if (begun.length === 1) {
    replaceMasterKeyFile(keyFile, [...begun, newMasterKey()])
    if (!onlyThisMachine) return { is: 'prepared', next: newest(keyFile).id }
  }
  const next = newest(keyFile)
  const rewrapped = await rewrapTenantKeys(store, new FileMasterKeys(keyFile), next.id, options.progress)
  const others = [...(await mastersInUse(store))].filter((id) => id !== next.id)
  if (others.length > 0) throw new Error(`Tenant keys are still under the master keys ${others.join(', ')}.`)
  replaceMasterKeyFile(keyFile, [next])
  return { is: 'rotated', current: next.id, rewrapped }
}

const newest = (keyFile: string): MasterKeyEntry => {
  const last = existingMasterKeys(keyFile).at(-1)
  if (last === undefined) throw new MasterKeyFileError(`The master key file ${keyFile} has no keys.`)
  return last
}
