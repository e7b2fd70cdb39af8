import { randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type OperatorAccess = { readonly url: string; readonly token: string }

const fileOf = (dataFolder: string): string => join(dataFolder, 'operator-token')

export const newOperatorToken = (): string => randomBytes(32).toString('base64url')

/** Whoever may read this file may run the service: it lies in the data folder, readable by its owner alone. */
export const writeOperatorAccess = (dataFolder: string, { url, token }: OperatorAccess): void => {
  writeFileSync(fileOf(dataFolder), `${url}\n${token}\n`, { mode: 0o600 })
  chmodSync(fileOf(dataFolder), 0o600)
}

/** Null when no service has been started in this folder. */
export const readOperatorAccess = (dataFolder: string): OperatorAccess | null => {
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

export const isSameToken = (shown: string, token: string): boolean => {
  const [left, right] = [Buffer.from(shown), Buffer.from(token)]
  return left.length === right.length && timingSafeEqual(left, right)
}
