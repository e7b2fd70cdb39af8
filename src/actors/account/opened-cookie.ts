import { sessionCookie } from '../../http/callers/session-caller.ts'
import type { AccountsApi } from './accounts-api.ts'

export const openedCookie = (api: Pick<AccountsApi, 'now'>, token: string, expiresAtMs: number) => ({
  'Set-Cookie': sessionCookie(token, expiresAtMs - api.now()),
})
