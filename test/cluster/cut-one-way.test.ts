import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { administrator, freshOperator, type Sent } from '../compose/api-on-memory.ts'
import { furnished } from '../compose/service-on-memory.ts'
import { twoServices } from './parts/two-services.ts'

const { linked, living, one, two, runtime, close } = await twoServices()
afterEach(() => {
  linked.mend()
  living.add('two')
})
afterAll(close)

const DIRECTIONS = [
  ['one', 'two'],
  ['two', 'one'],
] as const
let made = 0

const furnishedKey = async () => {
  const at = await furnished(one.service, `${++made}`.padStart(10, 'a'))
  const body = { tenantId: at.tenant, label: 'cut' }
  const { json } = await one.send('POST', '/v1/operator/api-keys', { as: freshOperator, body })
  return { ...at, key: String(json['key']), keyId: String(json['id']) }
}

/** What the second node shows to those who ask after the change was answered. */
const shownAfter = async (change: Promise<Sent>, ask: () => Promise<Sent>) => {
  let isAnswered = false
  const answered = change.finally(() => {
    isAnswered = true
  })
  const shown: number[] = []
  while (shown.length < 5) {
    const isAfter = isAnswered
    const { status } = await ask()
    if (isAfter) shown.push(status)
  }
  return { change: (await answered).status, shown }
}

describe.each(DIRECTIONS)('while nothing goes from node %s to node %s', (from, to) => {
  it('a key that was revoked opens nothing at the node that cannot know', { timeout: 60_000 }, async () => {
    const { key, keyId } = await furnishedKey()
    const ask = () => two.send('GET', '/v1/ledger', { as: key })
    expect((await ask()).status).toBe(200)
    linked.cut(from, to)
    const revoked = one.send('DELETE', `/v1/operator/api-keys/${keyId}`, { as: freshOperator })
    const { change, shown } = await shownAfter(revoked, ask)
    expect(change).toBe(200)
    for (const status of shown) expect([401, 503]).toContain(status)
    linked.mend()
    expect((await ask()).status).toBe(401)
  })

  it('an organisation that was suspended does nothing there', { timeout: 60_000 }, async () => {
    const { key, tenant } = await furnishedKey()
    const ask = () => two.send('GET', '/v1/ledger', { as: key })
    expect((await ask()).status).toBe(200)
    linked.cut(from, to)
    const suspended = one.send('POST', `/v1/operator/tenants/${tenant}/suspend`, { as: freshOperator })
    const { change, shown } = await shownAfter(suspended, ask)
    expect(change).toBe(200)
    for (const status of shown) expect([403, 503]).toContain(status)
    linked.mend()
    expect((await ask()).status).toBe(403)
  })

  it('a record that was erased shows nothing there, read or repeated', { timeout: 60_000 }, async () => {
    const { key, tenant, connectionId, definitionId } = await furnishedKey()
    const expiresAt = String(Math.floor(runtime.now() / 1_000) + 86_400)
    const body = {
      connectionId,
      credentialDefinitionId: definitionId,
      attributes: { name: 'Lovelace', expiresAt },
    }
    const offer = (at: typeof one) =>
      at.send('POST', '/v1/credentials/offer', { as: key, body, headers: { 'idempotency-key': 'once' } })
    const offered = await offer(two)
    expect([offered.status, offered.text]).toEqual([202, expect.stringContaining('Lovelace')])
    const path = `/v1/credentials/${String(offered.json['id'])}`
    expect((await two.send('GET', path, { as: key })).text).toContain('Lovelace')
    expect((await one.send('POST', `${path}/cancel`, { as: key })).status).toBe(200)
    linked.cut(from, to)
    const person = administrator(tenant)
    const erase = () => one.send('POST', `${path}/erase`, { as: person })
    // The other node lives, and has not confirmed: it may hold the text.
    expect((await erase()).status).toBe(503)
    living.delete('two')
    expect((await erase()).status).toBe(200)
    for (const shown of [await two.send('GET', path, { as: person }), await offer(two)]) {
      expect(shown.status).toBe(503)
      expect(shown.text).not.toContain('Lovelace')
    }
    linked.mend()
    for (const at of [one, two])
      for (const shown of [await at.send('GET', path, { as: person }), await offer(at)]) {
        expect([200, 202]).toContain(shown.status)
        expect(shown.text).not.toContain('Lovelace')
        expect(shown.json['attributes']).toBeNull()
      }
  })
})
