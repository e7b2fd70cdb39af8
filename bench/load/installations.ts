import { randomUUID } from 'node:crypto'
import { postJson } from './post.ts'

export type Backend = { readonly url: string; readonly key: string }

/** What the app of a new installation gets from its organisation and then from us: the invitation to the mediator. */
export const inviteInstallation = async ({ url, key }: Backend): Promise<string> => {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${key}`,
    'Idempotency-Key': randomUUID(),
  }
  const made = await postJson(`${url}/v1/wallets`, headers, '{}')
  if (made.status !== 201) throw new Error(`a wallet was answered ${made.status}: ${made.text}`)
  const { walletToken } = JSON.parse(made.text) as { readonly walletToken: string }
  const authorization = { Authorization: `Bearer ${walletToken}` }
  const answer = await fetch(`${url}/v1/wallet/mediator-invitation`, { headers: authorization })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`an invitation was answered ${answer.status}: ${text}`)
  return (JSON.parse(text) as { readonly invitationUrl: string }).invitationUrl
}
