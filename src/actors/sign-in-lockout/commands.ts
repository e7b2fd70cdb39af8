import ipaddr from 'ipaddr.js'
import { OPERATORS } from '../../domain/operators.ts'
import { attemptsOf } from './kind.ts'
import { type AttemptsCommand, type AttemptsReply, tooManyAttempts } from './rules.ts'
import type { Refused } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'
import type { AccountPorts } from '../account/account-ports.ts'

export type Locked = Refused & { readonly retryAfterMs: number }

export const isLocked = (answer: object): answer is Locked => 'retryAfterMs' in answer

/** One attempt that is being judged; `forgive` and `forget` when it was right. */
export type Attempt = { readonly forgive: () => Promise<void>; readonly forget: () => Promise<void> }

/** Counts for the account (or the address that has none) and for the place it comes from, unless one of them must wait. */
export const countAttempt = async (
  ports: AccountPorts,
  account: string,
  networkAddress: string,
): Promise<Attempt | Locked> => {
  const counters = [
    { id: await counterOf(ports, `account ${account}`), free: limits.signInAttemptsOfAccount },
    {
      id: await counterOf(ports, `address ${networkOf(networkAddress)}`),
      free: limits.signInAttemptsOfAddress,
    },
  ]
  for (const { id, free } of counters) {
    const reply = await ask(ports, id, { type: 'CountAttempt', atMs: ports.runtime.now(), free })
    if (reply.is === 'locked') return { ...tooManyAttempts(), retryAfterMs: reply.retryAfterMs }
  }
  const [ofAccount, ofAddress] = counters.map(({ id }) => id)
  const tell = async (id: string | undefined, type: 'ForgiveAttempt' | 'ForgetAttempts') => {
    if (id !== undefined) await ask(ports, id, { type, atMs: ports.runtime.now() })
  }
  return {
    forgive: async () =>
      void (await Promise.all([ofAccount, ofAddress].map((id) => tell(id, 'ForgiveAttempt')))),
    // Somebody's own success says nothing about the guesses of others at the same place.
    forget: async () =>
      void (await Promise.all([tell(ofAccount, 'ForgetAttempts'), tell(ofAddress, 'ForgiveAttempt')])),
  }
}

const NETWORK_BYTES = 8

/** With IPv6 every subscriber has a whole /64 to come from, so that is what counts as one place. */
const networkOf = (address: string): string => {
  if (!ipaddr.IPv6.isValid(address)) return address
  return Buffer.from(ipaddr.IPv6.parse(address).toByteArray().slice(0, NETWORK_BYTES)).toString('hex')
}

const counterOf = async ({ vault }: AccountPorts, of: string): Promise<string> =>
  attemptsOf(await vault.fingerprint(OPERATORS, of))

const ask = (
  { actors, runtime, askTimeoutMs }: AccountPorts,
  id: string,
  command: AttemptsCommand,
): Promise<AttemptsReply> =>
  actors.ask<AttemptsReply>(id, command, {
    commandId: runtime.newId(),
    timeoutMs: askTimeoutMs,
    tenant: null,
  })
