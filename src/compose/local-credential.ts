import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the command line needs to call the service on this machine: the private port, and the token of this start. */
export type LocalCredential = { readonly url: string; readonly token: string }

const fileOf = (dataFolder: string): string => join(dataFolder, 'operator-token')

export const newLocalToken = (): string => randomBytes(32).toString('base64url')

/**
 * The file is readable by its owner alone, because its reader may do all that an operator may. It is written beside its
 * place and moved there: a file that stood there with wider rights, or that is still held open, never shows the token.
 */
export const writeLocalCredential = (dataFolder: string, { url, token }: LocalCredential): void => {
  const file = fileOf(dataFolder)
  const beside = `${file}.new`
  // One that a stopped start left behind may have any rights.
  rmSync(beside, { force: true })
  writeFileSync(beside, `${url}\n${token}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(beside, file)
}

/** Null when no service has been started in this folder. */
export const readLocalCredential = (dataFolder: string): LocalCredential | null => {
  let text: string
  try {
    text = readFileSync(fileOf(dataFolder), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const [url = '', token = ''] = text.split('\n')
  return { url, token }
}

/** Whether the value of an `Authorization` header is this token. */
export const showsToken = (authorization: string, token: string): boolean => {
  const [shown, right] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)]
  return shown.length === right.length && timingSafeEqual(shown, right)
}
