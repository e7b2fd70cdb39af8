import { type Problem, problem } from '../../problem.ts'
import type { RequestHead } from '../../server.ts'
import { sessionCookie } from '../../session-caller.ts'
import type { AccountsApi } from './accounts-api.ts'

/** For nobody yet; but only for pages of our own, and never for whoever already has a credential of another kind. */
export const refuseStrangers =
  (api: Pick<AccountsApi, 'checkOrigin'>) =>
  (head: RequestHead): Problem<'forbidden'> | null =>
    head.headers.has('authorization')
      ? problem('forbidden', 'This is for the console; API keys and wallet tokens may not do this.')
      : api.checkOrigin(head)

export const openedCookie = (api: Pick<AccountsApi, 'now'>, token: string, expiresAtMs: number) => ({
  'Set-Cookie': sessionCookie(token, expiresAtMs - api.now()),
})
