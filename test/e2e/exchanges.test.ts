import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connection as connections } from '../../src/actors/connection/rules.ts'
import { type CredentialRecord, credential as credentials } from '../../src/actors/credential/rules.ts'
import { HOLDER_WAIT_MS } from '../../src/domain/exchange.ts'
import { type ProofRecord, proof as proofs } from '../../src/actors/proof/rules.ts'
import { isRefused, type Refused } from '../../src/domain/refused.ts'
import { Holder } from '../../sdk/wallet/holder.ts'
import { startSmallService } from './small-service.ts'

const tenant = 'ten_00aaaaaaaa'
const WAIT = { timeout: 60_000, interval: 50 }
/** After this time the wallet's ledger client gives a request up by itself. */
const LEDGER_CLIENT_PATIENCE_MS = 11_000
const inAnHour = (): string => String(Math.floor(Date.now() / 1000) + 3600)

let service: Awaited<ReturnType<typeof startSmallService>>
let phone: Holder
let connectionId = ''

beforeAll(async () => {
  service = await startSmallService()
  const options = { label: 'Phone', databaseFile: ':memory:', host: '127.0.0.1', port: 0, verbose: false }
  const network = { indyNamespace: 'sandbox', genesis: service.genesis }
  phone = await Holder.start({ ...options, ...network }, { offers: 'accept', proofs: 'accept' })
  const { url } = await service.invite('Registry')
  await phone.connect(url)
  connectionId = service.connectionIds()[0] ?? ''
  await vi.waitFor(async () => expect(await connection()).toBe('completed'), WAIT)
}, 240_000)
afterAll(async () => {
  await phone?.[Symbol.asyncDispose]()
  await service?.close()
})

const shown = <Record>(record: Record | Refused): Record => {
  if (isRefused(record)) throw new Error(record.reason)
  return record
}

const connection = async (): Promise<string> => {
  const { status } = shown(await service.actors.read(connections.ref(connectionId)))
  return status
}
const idOf = (kind: string): string =>
  `${kind}_${connectionId.slice(4, 6)}${randomUUID().replaceAll('-', '')}`

const offer = async (attributes: Record<string, string>): Promise<string> => {
  const threadId = idOf('cre')
  const { ledgerId, catalogueId } = service.definition
  const about = { tenant, connectionId, externalId: null, definition: { catalogueId, ledgerId } }
  const nonce = String(BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 16)}`))
  await service.ask(threadId, {
    type: 'OfferCredential',
    atMs: service.runtime.now(),
    ...about,
    threadId,
    nonce,
    attributes,
  })
  return threadId
}
const credential = async (id: string): Promise<CredentialRecord> =>
  shown(await service.actors.read(credentials.ref(id)))

const requestProof = async (definitionId = service.definition.ledgerId): Promise<string> => {
  const threadId = idOf('pro')
  const restrictions = [{ cred_def_id: definitionId }]
  const fresh = { name: 'expiresAt', p_type: '>', p_value: Math.floor(Date.now() / 1000), restrictions }
  const request = JSON.stringify({
    name: 'Entry',
    version: '1.0',
    nonce: String(BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 16)}`)),
    requested_attributes: { person: { names: ['name'], restrictions } },
    requested_predicates: { fresh },
  })
  const about = { tenant, connectionId, externalId: null, proofTemplateId: 'tpl_00aaaaaaaa' }
  await service.ask(threadId, {
    type: 'RequestProof',
    atMs: service.runtime.now(),
    ...about,
    threadId,
    request,
  })
  return threadId
}
const proof = async (id: string): Promise<ProofRecord> => shown(await service.actors.read(proofs.ref(id)))

const walletSays = (threadId: string, state: RegExp | string): Promise<void> =>
  vi.waitFor(() => {
    const states = phone.history.filter((event) => event.threadId === threadId).map((event) => event.state)
    expect(states.join(', ')).toMatch(state)
  }, WAIT)

describe('a Credo wallet in its own process', () => {
  it('that cannot read the ledger answers an offer when the ledger is back', async () => {
    await service.stopLedger()
    const id = await offer({ name: 'Patient', age: '36', expiresAt: inAnHour() })
    await walletSays(id, 'offer-received')
    await new Promise((resolve) => setTimeout(resolve, LEDGER_CLIENT_PATIENCE_MS))
    await service.startLedger()
    await vi.waitFor(async () => expect((await credential(id)).status).toBe('done'), WAIT)
    expect((await phone.credentials()).map(({ attributes }) => attributes['name'])).toEqual(['Patient'])
  })

  it('gets what is offered, and the service hears that it has it', async () => {
    const id = await offer({ name: 'Ada', age: '36', expiresAt: inAnHour() })
    await vi.waitFor(async () => expect((await credential(id)).status).toBe('done'), WAIT)
    expect((await phone.credentials()).map(({ attributes }) => attributes['name'])).toContain('Ada')
  })

  it('proves it, and only what was asked is disclosed', async () => {
    const id = await requestProof()
    const expected = { status: 'done', verified: true, disclosed: { person: { name: 'Ada' } } }
    await vi.waitFor(async () => expect(await proof(id)).toMatchObject(expected), WAIT)
    await walletSays(id, 'done')
  })

  it('declines both when its owner does', async () => {
    await phone.decide({ offers: 'decline', proofs: 'decline' })
    const [offered, asked] = [
      await offer({ name: 'Bob', age: '1', expiresAt: inAnHour() }),
      await requestProof(),
    ]
    await vi.waitFor(async () => expect((await credential(offered)).status).toBe('declined'), WAIT)
    await vi.waitFor(async () => expect((await proof(asked)).status).toBe('declined'), WAIT)
    await phone.decide({ offers: 'accept', proofs: 'accept' })
  })

  it('has nothing to prove to somebody who asks for another definition', async () => {
    const id = await requestProof('Th7MpTaRZVRYnPiabds81Y:3:CL:99:default')
    await walletSays(id, /failed/)
    expect((await proof(id)).status).toBe('request-sent')
  })

  it('that is offline gets the message later, once', async () => {
    await phone.setOffline(true)
    const id = await offer({ name: 'Late', age: '9', expiresAt: inAnHour() })
    await vi.waitFor(
      async () => expect(await credential(id)).toMatchObject({ status: 'offer-sent', delivered: false }),
      WAIT,
    )
    await phone.setOffline(false)
    service.runtime.forward(120_000)
    await vi.waitFor(async () => expect((await credential(id)).status).toBe('done'), WAIT)
    const offersSeen = phone.history.filter(
      (event) => event.threadId === id && event.state === 'offer-received',
    )
    expect(offersSeen).toHaveLength(1)
  })

  it('that never answers lets the exchange be abandoned after 24 hours', async () => {
    await phone.decide({ offers: 'ignore', proofs: 'ignore' })
    const [offered, asked] = [
      await offer({ name: 'X', age: '9', expiresAt: inAnHour() }),
      await requestProof(),
    ]
    await walletSays(offered, 'offer-received')
    await walletSays(asked, 'request-received')
    service.runtime.forward(HOLDER_WAIT_MS)
    await vi.waitFor(async () => expect((await credential(offered)).status).toBe('abandoned'), WAIT)
    await vi.waitFor(async () => expect((await proof(asked)).status).toBe('abandoned'), WAIT)
    await walletSays(offered, /abandoned|declined/)
  })
})
