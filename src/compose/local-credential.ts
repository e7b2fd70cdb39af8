import { randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the command line needs to call the service on this machine: the private port, and the token of this start. */
export type LocalCredential = { readonly url: string; readonly token: string }

const fileOf = (dataFolder: string): string => join(dataFolder, 'operator-token')

export const newLocalToken = (): string => randomBytes(32).toString('base64url')

/** The file is readable by its owner alone, because its reader may do all that an operator may. */
export const writeLocalCredential = (dataFolder: string, { url, token }: LocalCredential): void => {
  writeFileSync(fileOf(dataFolder), `${url}\n${token}\n`, { mode: 0o600 })
  chmodSync(fileOf(dataFolder), 0o600)
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
