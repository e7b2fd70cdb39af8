import { randomUUID } from 'node:crypto'
import { postJson } from './post.ts'

export type Backend = { readonly url: string; readonly key: string }

/** What the backend of an organisation does for the app of an installation: the token of its wallet. */
export const createWallet = async ({ url, key }: Backend, installation: string): Promise<string> => {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${key}`,
    'Idempotency-Key': installation,
  }
  const made = await postJson(`${url}/v1/wallets`, headers, '{}')
  // The app asks again at its next start; a wallet that is there is answered with a token, too.
  if (made.status !== 201 && made.status !== 200)
    throw new Error(`a wallet was answered ${made.status}: ${made.text}`)
  return (JSON.parse(made.text) as { readonly walletToken: string }).walletToken
}

/** What the app of a new installation gets from its organisation and then from us: the invitation to the mediator. */
export const inviteInstallation = async (backend: Backend): Promise<string> => {
  const authorization = { Authorization: `Bearer ${await createWallet(backend, randomUUID())}` }
  const answer = await fetch(`${backend.url}/v1/wallet/mediator-invitation`, { headers: authorization })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`an invitation was answered ${answer.status}: ${text}`)
  return (JSON.parse(text) as { readonly invitationUrl: string }).invitationUrl
}
