import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../src/actors/tenant/commands.ts'
import type { Caller } from '../../src/http/callers/caller.ts'
import { credentialKind } from '../../src/actors/credential/index.ts'
import { furnishedApi } from '../compose/furnished-api.ts'
import { allowed } from './account/accounts-world.ts'
import { givenPorts } from './given-ports.ts'
import { kindsOnHost } from './kinds-on-host.ts'

type Furnished = Awaited<ReturnType<typeof furnishedApi>>
type Json = Readonly<Record<string, unknown>>

describe('the end of an exchange by its organisation', () => {
  let world: Furnished
  beforeAll(async () => {
    world = await furnishedApi()
  })
  afterAll(() => world.api.close())

  const post = (path: string, as: string | Caller = world.key, headers = {}) =>
    world.api.send('POST', path, { as, headers })
  const offered = async (): Promise<string> => {
    const { connectionId, definitionId: credentialDefinitionId } = world.at
    const attributes = { name: 'Ada', expiresAt: '1999999999' }
    const body = { connectionId, credentialDefinitionId, attributes }
    const { json } = await world.api.send('POST', '/v1/credentials/offer', { as: world.key, body })
    return `/v1/credentials/${String(json['id'])}`
  }
  const entries = async (target: string): Promise<readonly Json[]> => {
    const { json } = await world.api.send('GET', target, { as: world.admin })
    return json['items'] as readonly Json[]
  }

  it('is noted with who asked for it; an operator who acts has a line in the audit log', async () => {
    const acting = { ...world.admin, memberId: 'acc_00operator', isActing: true } as Caller
    for (const [as, initiator] of [
      [world.key, 'api_key'],
      [world.admin, 'tenant_member'],
      [acting, 'operator'],
    ] as const) {
      const path = await offered()
      expect((await post(`${path}/cancel`, as)).json).toMatchObject({ state: 'abandoned' })
      expect((await post(`${path}/erase`, as)).json).toMatchObject({ attributes: null })
      const [newest] = await entries('/v1/erasures')
      expect(newest).toMatchObject({ recordId: path.split('/').at(-1), initiator })
    }
    const [line] = await entries('/v1/audit-log?action=eraseCredential&initiatorId=acc_00operator')
    expect(line).toMatchObject({ outcome: 'done', initiator: 'acting_operator' })
  })

  it('is not for those who may only look', async () => {
    const viewer = { ...world.admin, role: 'viewer' } as Caller
    expect((await post(`${await offered()}/cancel`, viewer)).status).toBe(403)
    expect((await post(`${await offered()}/erase`, viewer)).status).toBe(403)
  })

  it('of another organisation’s exchange finds none, byte by byte', async () => {
    const path = await offered()
    const { id } = allowed(await createTenant(world.api.service.useCases, 'Another'))
    const stranger = await world.api.keyOf(id)
    for (const verb of ['cancel', 'erase']) {
      const theirs = await post(`${path}/${verb}`, stranger)
      expect(theirs).toMatchObject({ status: 404, json: { error: 'not_found' } })
      expect(theirs.text).toBe((await post(`/v1/credentials/cre_00bbbbbbbbbb/${verb}`, stranger)).text)
      expect(theirs.text).toBe((await post(`/v1/credentials/none/${verb}`, stranger)).text)
    }
    expect(await entries('/v1/erasures?q=cre_00bbbbbbbbbb')).toEqual([])
  })

  it('under a key is answered again, and is refused under another', async () => {
    const path = await offered()
    const first = await post(`${path}/cancel`, world.key, { 'idempotency-key': 'cancel-1' })
    const again = await post(`${path}/cancel`, world.key, { 'idempotency-key': 'cancel-1' })
    expect(again).toMatchObject({ status: 200, text: first.text, headers: { 'Idempotent-Replayed': 'true' } })
    const other = await post(`${path}/cancel`, world.key, { 'idempotency-key': 'cancel-2' })
    expect(other).toMatchObject({ status: 409, json: { error: 'exchange_over' } })
  })
})

it('an erasure that was cut off before its key was gone is finished by the next start', async () => {
  const world = await kindsOnHost((parts) => [credentialKind.definition(givenPorts(parts))])
  const tenant = 'ten_00aaaaaaaa'
  const ask = world.askAs(tenant)
  const [erased, neighbour] = ['cre_00aaaaaaaa', 'cre_00bbbbbbbb']
  for (const id of [erased, neighbour]) {
    const definition = { catalogueId: 'def_00aaaaaaaa', ledgerId: 'l' }
    const about = { tenant, connectionId: 'con_00aaaaaaaa', externalId: null, definition, threadId: id }
    await ask(id, { type: 'OfferCredential', atMs: 1, ...about, nonce: '1', attributes: { name: 'Ada' } })
    await ask(id, { type: 'CancelExchange', atMs: 2, tenant })
  }
  world.vault.isAway = true
  const cut = ask(erased, { type: 'EraseRecord', atMs: 3, tenant, by: 'api_key' })
  await expect(cut).rejects.toMatchObject({ code: 'unavailable' })
  expect(world.vault.keys.has(erased)).toBe(true)
  world.vault.isAway = false
  await world.crash()
  await expect.poll(() => world.vault.keys.has(erased), { timeout: 60_000 }).toBe(false)
  expect(world.vault.keys.has(neighbour)).toBe(true)
  const again = await ask(erased, { type: 'EraseRecord', atMs: 4, tenant, by: 'operator' })
  expect(again).toMatchObject({ attributes: null, errorMessage: null, erasedAtMs: 3, erasedBy: 'api_key' })
  await world.close()
})
