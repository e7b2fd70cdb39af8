import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished, vi } from 'vitest'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import { createWallet } from '../../sdk/wallet/create-wallet.ts'
import { foundIn } from '../integration/canaries.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import {
  type Json,
  publishPerson,
  untilConfirmed,
  untilState,
  WAIT,
  walletOptions,
} from './running-service.ts'
import { serviceUnderTest } from './service-under-test.ts'

/** Others have run on the same stores. */
const run = randomUUID()
const canaries = {
  value: `Canary Lovelace of the tower ${run}`,
  report: `canary report of a person who says no ${run}`,
  label: `Canary phone of somebody ${run}`,
}
const named = (...names: (keyof typeof canaries)[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name, canaries[name]]))

/** A service with a wallet whose holder can be asked anything, and a receiver of webhooks. */
const world = async () => {
  const service = await serviceUnderTest()
  onTestFinished(async () => void (await service.close()))
  const receiver = await startReceiver()
  onTestFinished(() => receiver[Symbol.asyncDispose]())
  const { tenant, order, send } = service
  await order('webhook set', { tenant, url: receiver.url, eventTypes: null })
  const { definitionId, templateId } = await publishPerson(service)
  const wallet = await createWallet({ ...(await walletOptions(service)), label: canaries.label })
  onTestFinished(() => wallet.close())
  const holder = new AutomaticHolder(wallet, { offers: 'accept', proofs: 'accept' }, () => undefined)
  const { json: invitation } = await send('POST', '/v1/connections/invitations', {})
  await wallet.agent.didcomm.oob.receiveInvitationFromUrl(String(invitation['invitationUrl']), {
    label: canaries.label,
  })
  const connectionId = await vi.waitFor(async () => {
    const { json } = await send('GET', '/v1/connections?state=completed')
    const [found] = json['items'] as Json[]
    expect(found).toBeDefined()
    return String(found?.['id'])
  }, WAIT)
  const withKey = async (path: string, body: object | undefined, key: string) => {
    const response = await fetch(`${service.url()}${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.apiKey}`,
        'Idempotency-Key': key,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: (await response.json()) as Json, headers: response.headers }
  }
  const attributes = { name: canaries.value, age: '36', expiresAt: '1999999999' }
  const offer = { connectionId, credentialDefinitionId: definitionId, attributes, externalId: 'order-1' }
  const proof = { connectionId, proofTemplateId: templateId }
  const heard = (type: string) =>
    receiver.arrived
      .map(({ body }) => JSON.parse(body) as { type: string; data: Json })
      .filter((each) => each.type === type)
  return { ...service, receiver, wallet, holder, connectionId, withKey, offer, proof, heard }
}

it('what is erased is gone at the moment of the answer, and is reported once', async () => {
  const at = await world()
  const { send, stored, receiver, withKey } = at
  const keys = { offer: randomUUID(), erase: randomUUID() }
  const credentialId = String((await withKey('/v1/credentials/offer', at.offer, keys.offer)).json['id'])
  await untilState(at, `/v1/credentials/${credentialId}`, 'done')

  // The holder says no, in words, and the receiver quotes what it is sent.
  receiver.behaviour.answer = ({ body }, response) => void response.end(body)
  at.holder.offers = 'ignore'
  const declinedId = String((await send('POST', '/v1/credentials/offer', at.offer)).json['id'])
  const { credentials } = at.wallet.agent.didcomm
  const received = await vi.waitFor(async () => {
    const [found] = await credentials.findAllByQuery({ threadId: declinedId })
    if (found === undefined) throw new Error('the offer is not there yet')
    return found
  }, WAIT)
  await credentials.sendProblemReport({
    credentialExchangeRecordId: received.id,
    description: canaries.report,
  })
  expect(await untilState(at, `/v1/credentials/${declinedId}`, 'declined')).toMatchObject({
    errorMessage: canaries.report,
  })

  const answers = async () => {
    const { json } = await send('GET', `/v1/webhook/deliveries?recordId=${declinedId}&status=delivered`)
    const paths = (json['items'] as Json[]).map(({ id }) => `/v1/webhook/deliveries/${String(id)}`)
    const shown = await Promise.all(paths.map(async (path) => (await send('GET', path)).json['attemptLog']))
    return (shown.flat() as Json[]).map(({ answer }) => answer)
  }
  await vi.waitFor(
    async () => expect(await answers()).toContainEqual(expect.stringContaining(canaries.report)),
    WAIT,
  )

  // The webhook of the proof is on its way when the record is erased.
  receiver.behaviour.answer = ({ body }, response) => {
    if (!body.includes(canaries.value)) response.end()
  }
  const proofId = String((await send('POST', '/v1/proofs/request', at.proof)).json['id'])
  await untilState(at, `/v1/proofs/${proofId}`, 'done')
  const ofProof = () => at.heard('proof.state_changed').filter(({ data }) => data['state'] === 'done')
  const showing = () => ofProof().filter(({ data }) => data['disclosed'] !== null)
  await vi.waitFor(() => expect(showing()).not.toEqual([]), WAIT)
  expect(showing()[0]?.data).toMatchObject({ disclosed: { person: { name: canaries.value } } })

  const all = named('value', 'report')
  expect(foundIn('what keys open', await stored.opened(), all)).toHaveLength(2)
  const ids = { credential: credentialId, declined: declinedId, proof: proofId }
  const wrapped = (await Promise.all(Object.values(ids).map((id) => stored.wrappedKeysOf(id)))).flat()
  expect(wrapped).toHaveLength(3)

  const [first, second, third] = [
    await untilConfirmed(() => withKey(`/v1/credentials/${credentialId}/erase`, undefined, keys.erase)),
    await untilConfirmed(() => send('POST', `/v1/credentials/${declinedId}/erase`)),
    await untilConfirmed(() => send('POST', `/v1/proofs/${proofId}/erase`)),
  ]
  expect(await stored.keysLeft(Object.values(ids), wrapped)).toEqual([])
  expect(stored.inFiles(all)).toEqual([])
  expect(foundIn('what keys open', await stored.opened(), all)).toEqual([])
  const gone = { erasedAt: expect.any(String) as unknown, errorMessage: null }
  expect(first).toMatchObject({
    status: 200,
    json: { ...gone, state: 'done', attributes: null, externalId: 'order-1' },
  })
  expect(second).toMatchObject({ status: 200, json: { ...gone, state: 'declined', attributes: null } })
  expect(third).toMatchObject({
    status: 200,
    json: { ...gone, state: 'done', verified: true, disclosed: null },
  })

  // What the receiver has answered goes with the record that it was about.
  expect(new Set((await answers()).slice(-2))).toEqual(new Set([null]))

  // The attempt under way was cut off, and its event comes with nulls.
  const shownBefore = showing().length
  const withNulls = () => ofProof().filter(({ data }) => data['disclosed'] === null)
  await vi.waitFor(() => expect(withNulls()).toHaveLength(1), WAIT)
  expect(withNulls()[0]?.data).toMatchObject({ id: proofId, verified: true })
  expect(showing()).toHaveLength(shownBefore)

  // Repetitions of every kind.
  for (const each of [
    await withKey('/v1/credentials/offer', at.offer, keys.offer),
    await withKey(`/v1/credentials/${credentialId}/erase`, undefined, keys.erase),
  ]) {
    expect(each.headers.get('idempotent-replayed')).toBe('true')
    expect(each.json).toMatchObject({ id: credentialId, attributes: null })
  }
  expect(await send('POST', `/v1/credentials/${credentialId}/erase`)).toMatchObject({
    status: 200,
    json: first.json,
  })
  expect((await send('GET', `/v1/credentials/${credentialId}`)).json).toEqual(first.json)

  const { json: log } = await send('GET', '/v1/erasures')
  expect(log).toMatchObject({ total: 3 })
  expect(log['items']).toContainEqual({
    id: `era_${proofId}`,
    recordType: 'proof',
    recordId: proofId,
    initiator: 'api_key',
    erasedAt: third.json['erasedAt'],
  })
  const found = async (query: string) => (await send('GET', `/v1/erasures?${query}`)).json['total']
  expect(await found(`q=${declinedId.toUpperCase()}`)).toBe(1)
  expect([await found('recordType=credential'), await found('initiator=operator')]).toEqual([2, 0])

  await vi.waitFor(() => expect(at.heard('record.erased')).toHaveLength(3), WAIT)
  expect(
    at
      .heard('record.erased')
      .map(({ data }) => String(data['recordId']))
      .toSorted(),
  ).toEqual(Object.values(ids).toSorted())
  const erasedFirst = at.heard('record.erased').find(({ data }) => data['recordId'] === credentialId)
  expect(erasedFirst?.data).toMatchObject({
    recordType: 'credential',
    recordId: credentialId,
    externalId: 'order-1',
    initiator: 'api_key',
    erasedAt: first.json['erasedAt'],
    updatedAt: first.json['updatedAt'],
    sequence: 5,
  })

  // Erasing does not touch what the holder has.
  const again = String((await send('POST', '/v1/proofs/request', at.proof)).json['id'])
  expect(await untilState(at, `/v1/proofs/${again}`, 'done')).toMatchObject({
    verified: true,
    disclosed: { person: { name: canaries.value } },
  })
}, 600_000)

it('an exchange that runs is cancelled first, and its holder hears so', async () => {
  const at = await world()
  at.holder.offers = 'ignore'
  at.holder.proofs = 'ignore'
  const key = randomUUID()
  for (const [path, begin, body] of [
    ['/v1/credentials', '/v1/credentials/offer', at.offer],
    ['/v1/proofs', '/v1/proofs/request', at.proof],
  ] as const) {
    const id = String((await at.send('POST', begin, body)).json['id'])
    const api = path === '/v1/proofs' ? at.wallet.agent.didcomm.proofs : at.wallet.agent.didcomm.credentials
    const seen = () => api.findAllByQuery({ threadId: id })
    await vi.waitFor(async () => expect(await seen()).toHaveLength(1), WAIT)
    expect(await at.send('POST', `${path}/${id}/erase`)).toMatchObject({
      status: 409,
      json: { error: 'exchange_running' },
    })
    const cancelled = await at.withKey(`${path}/${id}/cancel`, undefined, key)
    const errorMessage = 'The organisation cancelled the exchange.'
    expect(cancelled).toMatchObject({ status: 200, json: { id, state: 'abandoned', errorMessage } })
    await vi.waitFor(async () => expect((await seen())[0]).toMatchObject({ state: 'abandoned' }), WAIT)
    expect(await at.withKey(`${path}/${id}/cancel`, undefined, key)).toMatchObject({ json: cancelled.json })
    expect(await at.send('POST', `${path}/${id}/cancel`)).toMatchObject({
      status: 409,
      json: { error: 'exchange_over' },
    })
    expect(await untilConfirmed(() => at.send('POST', `${path}/${id}/erase`))).toMatchObject({
      status: 200,
      json: { errorMessage: null },
    })
  }
}, 600_000)
