import { limits } from '../../../../src/domain/limits.ts'
import { type Case, edge, refuses, type Samples } from '../table.ts'
import type { Answer, World } from '../world.ts'

const WALLETS = '/v1/wallets'
const walletOf = async (at: World): Promise<string> => {
  const made = await at.ask('POST', { as: 'key', target: WALLETS, body: {}, headers: at.installation() })
  return `${WALLETS}/${String(made.json['id'])}`
}

const INVITATION = '/v1/wallet/mediator-invitation'
const tokenOf = async (at: World): Promise<{ readonly bearer: string }> => {
  const made = await at.ask('POST', { as: 'key', target: WALLETS, body: {}, headers: at.installation() })
  return { bearer: String(made.json['walletToken']) }
}

/** The answer to the last of so many requests of one wallet. */
const invitedTimes = async (at: World, times: number): Promise<Answer> => {
  const as = await tokenOf(at)
  for (let asked = 1; asked < times; asked++) await at.ask('GET', { as, target: INVITATION })
  return at.ask('GET', { as, target: INVITATION })
}

export const walletSamples: Samples = {
  [`POST ${WALLETS}`]: (at) => ({ as: 'key', body: { externalId: 'ada' }, headers: at.installation() }),
  [`GET ${WALLETS}`]: () => ({ as: 'key' }),
  [`GET ${WALLETS}/{id}`]: async (at) => ({ as: 'key', target: await walletOf(at) }),
  [`DELETE ${WALLETS}/{id}`]: async (at) => ({ as: 'key', target: await walletOf(at) }),
  [`GET ${INVITATION}`]: async (at) => ({ as: await tokenOf(at) }),
}

export const walletCases: readonly Case[] = [
  ...(['GET', 'DELETE'] as const).map((method) =>
    refuses(`${method} ${WALLETS}/{id}`, 'not_found', (at) =>
      at.ask(method, { as: 'key', target: `${WALLETS}/wal_00bbbbbbbbbb` }),
    ),
  ),
  refuses(`POST ${WALLETS}`, 'idempotency_key_reused', async (at) => {
    const headers = at.installation()
    await at.ask('POST', { as: 'key', target: WALLETS, body: { externalId: 'one' }, headers })
    return at.ask('POST', { as: 'key', target: WALLETS, body: { externalId: 'two' }, headers })
  }),
  refuses(`POST ${WALLETS}`, 'step_up_required', async (at) =>
    at.raw('POST', { as: await at.stale(), target: WALLETS, body: {}, headers: at.installation() }),
  ),
  refuses(`POST ${WALLETS}`, 'wallet_revoked', async (at) => {
    const headers = at.installation()
    const made = await at.ask('POST', { as: 'key', target: WALLETS, body: {}, headers })
    await at.ask('DELETE', { as: 'key', target: `${WALLETS}/${String(made.json['id'])}` })
    return at.ask('POST', { as: 'key', target: WALLETS, body: {}, headers })
  }),
  edge(`GET ${INVITATION}`, 'invitations of a wallet', async (at) => ({
    accepted: await invitedTimes(at, limits.mediatorInvitationsMax),
    refused: await invitedTimes(at, limits.mediatorInvitationsMax + 1),
    as: 'rate_limited',
  })),
  edge(`POST ${WALLETS}`, 'the key is a UUID', async (at) => ({
    accepted: await at.ask('POST', { as: 'key', target: WALLETS, body: {}, headers: at.installation() }),
    refused: await at.ask('POST', {
      as: 'key',
      target: WALLETS,
      body: {},
      headers: { 'idempotency-key': 'x' },
    }),
    as: 'invalid_request',
  })),
]
