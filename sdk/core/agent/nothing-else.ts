import type { AgentDependencies, FileSystem } from '@credo-ts/core'

// What Credo asks of every machine, and the wallet does not use: it keeps no files, opens no sockets, and all that it
// sends goes through its outbox.

const refuse = (what: string) => (): Promise<never> => Promise.reject(new Error(`this wallet ${what}`))
const keepsNoFiles = refuse('keeps no files')

class NoFiles implements FileSystem {
  readonly dataPath = ''
  readonly cachePath = ''
  readonly tempPath = ''

  async exists(): Promise<boolean> {
    return false
  }
  createDirectory = keepsNoFiles
  copyFile = keepsNoFiles
  write = keepsNoFiles
  read = keepsNoFiles
  delete = keepsNoFiles
  downloadToFile = keepsNoFiles
}

const NoSocket = function (): never {
  throw new Error('this wallet opens no sockets')
}

export const nothingElse: Omit<AgentDependencies, 'EventEmitterClass'> = {
  FileSystem: NoFiles,
  fetch: refuse('sends through its outbox'),
  WebSocketClass: NoSocket as unknown as AgentDependencies['WebSocketClass'],
}
