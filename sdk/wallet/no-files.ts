import { join } from 'node:path'
import { tmpdir } from 'node:os'
import type { FileSystem } from '@credo-ts/core'

/** Credo asks for a file system for downloads; this wallet downloads nothing. */
export class NoFiles implements FileSystem {
  readonly dataPath = join(tmpdir(), 'vouchsafe-wallet')
  readonly cachePath = this.dataPath
  readonly tempPath = this.dataPath

  async exists(): Promise<boolean> {
    return false
  }
  createDirectory: () => Promise<void> = refuse
  copyFile = refuse
  write = refuse
  read = refuse
  delete = refuse
  downloadToFile = refuse
}

const refuse = (): Promise<never> => Promise.reject(new Error('this wallet keeps no files'))
