import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TokenProvider } from '../core/public.ts'

const FILE = 'installation'

/** Once for each wallet: with it the organisation's backend gets the same wallet again. */
export const installationIn = async (folder: string): Promise<string> => {
  const file = join(folder, FILE)
  try {
    return await readFile(file, 'utf8')
  } catch {
    await mkdir(folder, { recursive: true })
    const id = randomUUID()
    await writeFile(file, id, { flag: 'wx' })
    return id
  }
}

/** After a reset the wallet is another one, also for its organisation. */
export const forgetInstallation = (folder: string): Promise<void> => rm(join(folder, FILE), { force: true })

export class Revoked extends Error {}

/**
 * What the backend of an organisation does for its app, done here with the API key of a development organisation. A real
 * app never has that key.
 */
export const backendOf = (baseUrl: string, apiKey: string, installation: string): TokenProvider => {
  return async () => {
    const answer = await fetch(`${baseUrl.replace(/\/+$/, '')}/v1/wallets`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': installation,
      },
      body: '{}',
    })
    const { walletToken, error, reason } = (await answer.json()) as Record<string, unknown>
    if (typeof walletToken === 'string') return walletToken
    if (error === 'wallet_revoked') throw new Revoked('the organisation has revoked this wallet')
    throw new Error(`the platform gave no wallet: ${typeof reason === 'string' ? reason : answer.status}`)
  }
}
