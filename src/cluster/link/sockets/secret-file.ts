import { constants, fstatSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import type { Runtime } from '../../../ports/runtime.ts'
import type { Log } from '../../../telemetry/logger.ts'
import type { SecretState } from '../wire.ts'
import { type LinkSecret, LinkSecretError, parseSecrets } from './secret.ts'

/** The secrets as the file has them now. */
export type LinkSecrets = {
  /** The one that this node proves itself with, and while it changes the other one that is accepted. */
  readonly all: () => readonly [LinkSecret, ...LinkSecret[]]
  readonly byId: (id: string) => LinkSecret | null
  readonly stateOf: (id: string) => SecretState
}

const FILE_BYTES_MAX = 4_096

/**
 * Reads the file, and again every so often: an orchestrator that exchanges what is behind the name tells nobody. Rejects
 * where it cannot be used at the start; later the secrets that were read last go on.
 */
export const openSecretFile = async (
  file: string,
  runtime: Runtime,
  log: Log,
  everyMs = 5_000,
): Promise<LinkSecrets & AsyncDisposable> => {
  let secrets = await readSecrets(file)
  const stop = new AbortController()
  const again = async (): Promise<void> => {
    let isReadable = true
    while (!stop.signal.aborted) {
      await runtime.sleep(everyMs, stop.signal).catch(() => {})
      if (stop.signal.aborted) return
      try {
        secrets = await readSecrets(file)
        isReadable = true
      } catch (error) {
        if (isReadable) log('link.secret_unreadable', { error })
        isReadable = false
      }
    }
  }
  const running = again()
  return {
    ...secretsOf(() => secrets),
    [Symbol.asyncDispose]: async () => {
      stop.abort(STOPPED)
      await running
    },
  }
}

/** The first proves, all are accepted. */
export const secretsOf = (read: () => readonly LinkSecret[]): LinkSecrets => {
  const all = (): readonly [LinkSecret, ...LinkSecret[]] => {
    const [first, ...others] = read()
    if (first === undefined) throw new LinkSecretError('There is no secret of the cluster.')
    return [first, ...others]
  }
  return {
    all,
    byId: (id) => read().find((secret) => secret.id === id) ?? null,
    stateOf: (id) => {
      if (id === all()[0].id) return 'current'
      return read().some((secret) => secret.id === id) ? 'old' : 'revoked'
    },
  }
}

const readSecrets = async (file: string): Promise<readonly LinkSecret[]> => {
  const handle = await opened(file)
  try {
    const stat = fstatSync(handle.fd)
    if (!stat.isFile()) throw new LinkSecretError(`${file} is not a regular file.`)
    if ((stat.mode & 0o007) !== 0)
      throw new LinkSecretError(`${file} can be read by everybody on this machine: run chmod o= on it.`)
    if (stat.size > FILE_BYTES_MAX)
      throw new LinkSecretError(`${file} has ${stat.size} bytes, a secret has at most ${FILE_BYTES_MAX}.`)
    return parseSecrets(file, await handle.readFile('utf8'))
  } finally {
    await handle.close()
  }
}

/** Secrets of an orchestrator are links to files that belong to a group, so both are allowed. */
const opened = async (file: string): Promise<FileHandle> => {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason'
    throw new LinkSecretError(`${file}, the secret of the cluster, can't be opened (${code}).`, {
      cause: error,
    })
  }
}

const STOPPED = new Error('the file of the secret is no longer read')
