import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import { createWallet, type Wallet } from '../../sdk/wallet/create-wallet.ts'
import { DishonestProofFormat } from '../../sdk/wallet/dishonest-proof-format.ts'
import { encodeValue } from '../../src/anoncreds/encoding.ts'
import { startReceiver } from '../../tools/flows/webhook-receiver.ts'
import { Scan } from '../../tools/scan/scan.ts'
import {
  freshFolder,
  type Json,
  publishPerson,
  runningService,
  type RunningService,
  untilState,
  WAIT,
  walletOptions,
} from './running-service.ts'
import { scannedStores } from './scanned-stores.ts'

/** Small letters and digits, which lists keep as they are. */
const canary = (what: string): string => `canary of ${what} ${randomBytes(6).toString('hex')}`

const label = canary('a label')
const name = canary('a name')
const refusal = canary('a refusal')

/** A whole issuance, a verification and a refusal, with the disk looked through at given moments. */
describe.each(scannedStores)('what the disk of a service has of people, on $name', ({ name: on, open }) => {
  let store: Awaited<ReturnType<typeof open>>
  let service: RunningService
  let wallet: Wallet
  let holder: AutomaticHolder
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let scan: Scan
  let connectionId = ''
  let world: Awaited<ReturnType<typeof publishPerson>>
  /** Digits of what was signed and shown, once there are any. */
  const digits = new Map<string, string>()
  const format = new DishonestProofFormat()

  beforeAll(async () => {
    const folder = freshFolder()
    store = await open(folder)
    service = await runningService(store.settings, folder)
    const { tenant, order } = service
    receiver = await startReceiver(() => undefined)
    const { secret } = await order('webhook set', { tenant, url: receiver.url, eventTypes: null })
    receiver.useSecret(String(secret))
    world = await publishPerson(service)
    wallet = await createWallet({ ...(await walletOptions(service)), label }, format)
    holder = new AutomaticHolder(wallet, { offers: 'accept', proofs: 'accept' }, () => undefined)
    scan = new Scan(store.disk)
    const { json } = await service.send('POST', '/v1/connections/invitations', {})
    await wallet.agent.didcomm.oob.receiveInvitationFromUrl(String(json['invitationUrl']), { label })
    const path = `/v1/connections?invitationId=${String(json['invitationId'])}&state=completed`
    connectionId = await vi.waitFor(async () => {
      const [found] = ((await service.send('GET', path)).json['items'] ?? []) as Json[]
      expect(found).toBeDefined()
      return String(found?.['id'])
    }, WAIT)
  })
  afterAll(async () => {
    await wallet?.close()
    await service?.app.stop()
    receiver?.close()
    await store?.close()
  })

  const post = async (path: string, body: Json): Promise<string> => {
    const { status, text, json } = await service.send('POST', path, body)
    expect([status, text]).toEqual([202, expect.stringContaining('"id"')])
    return String(json['id'])
  }
  const offer = (): Promise<string> => {
    const expiresAt = String(Math.floor(Date.now() / 1_000) + 3_600)
    const attributes = { name, age: '36', expiresAt }
    const credentialDefinitionId = world.definitionId
    return post('/v1/credentials/offer', { connectionId, credentialDefinitionId, attributes })
  }
  const erase = async (path: string): Promise<void> => {
    // 503 on a busy machine: it is under way, and repeated until it is 200.
    await vi.waitFor(
      async () => expect(await service.send('POST', `${path}/erase`)).toMatchObject({ status: 200 }),
      WAIT,
    )
  }
  const exchangeOf = async (id: string) => {
    const exchanges = await wallet.agent.didcomm.credentials.getAll()
    return exchanges.find(({ threadId }) => threadId === id)?.id ?? ''
  }
  const issue = async (): Promise<string> => {
    const id = await offer()
    await untilState(service, `/v1/credentials/${id}`, 'done')
    const { credential } = await wallet.agent.didcomm.credentials.getFormatData(await exchangeOf(id))
    for (const [part, text] of longNumbersIn(credential?.anoncreds)) digits.set(`signature${part}`, text)
    return id
  }
  const verify = async (): Promise<string> => {
    format.cheat = {
      presentation: ({ proof }) => {
        for (const [part, text] of longNumbersIn(proof))
          if (/eq_proof|c_hash/.test(part)) digits.set(`presentation${part}`, text)
      },
    }
    const id = await post('/v1/proofs/request', { connectionId, proofTemplateId: world.templateId })
    expect(await untilState(service, `/v1/proofs/${id}`, 'done')).toMatchObject({ verified: true })
    return id
  }
  const decline = async (): Promise<string> => {
    holder.offers = 'ignore'
    const id = await offer()
    const credentialExchangeRecordId = await vi.waitFor(async () => {
      const found = await exchangeOf(id)
      expect(found).not.toBe('')
      return found
    }, WAIT)
    await wallet.agent.didcomm.credentials.declineOffer({
      credentialExchangeRecordId,
      sendProblemReport: true,
      problemReportDescription: refusal,
    })
    holder.offers = 'accept'
    await untilState(service, `/v1/credentials/${id}`, 'declined')
    return id
  }
  const delivered = (id: string, state: string): Promise<void> =>
    vi.waitFor(() => {
      expect(receiver.events.some(({ data }) => data.id === id && data.state === state)).toBe(true)
    }, WAIT)

  it('has neither the signed credential nor the presentation a second after both have arrived, on Cassandra after its clean-up', async () => {
    const kept = [`/v1/credentials/${await issue()}`, `/v1/proofs/${await verify()}`]
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const found = await scan.find(digits)
    expect(found.plain).toEqual([])
    // Cassandra's own log has what was deleted, sealed, until it is flushed and compacted.
    await store.cleanUp()
    if (on === 'SQLite') expect(found.opened).toEqual([])
    else await expect.poll(() => scan.find(digits), WAIT).toEqual({ plain: [], opened: [] })
    for (const path of kept) await erase(path)
    digits.clear()
  })

  it('is sealed while it is kept, and nothing of it is left at the answer to its erasure', async () => {
    const issued = await issue()
    const verified = await verify()
    const declined = await decline()
    await delivered(issued, 'done')
    await delivered(verified, 'done')
    await delivered(declined, 'declined')
    expect([...digits.keys()].map((each) => each.split('.')[0])).toEqual(
      expect.arrayContaining(['signature', 'presentation']),
    )
    const people = new Map([
      ['name', name],
      ['refusal', refusal],
      ['label', label],
    ])
    const kept = await scan.find(people)
    // The label is what q looks for in the list of connections; that list alone has it.
    expect(kept.plain.filter((hit) => !/^label .*directory\.sqlite/.test(hit))).toEqual([])
    expect(new Set(kept.opened.map((hit) => hit.split(' ')[0]))).toEqual(new Set(people.keys()))

    await erase(`/v1/credentials/${issued}`)
    await erase(`/v1/proofs/${verified}`)
    await erase(`/v1/credentials/${declined}`)
    people.delete('label')
    const gone = new Map([...people, ...digits])
    expect((await scan.find(gone)).plain).toEqual([])
    await store.cleanUp()
    // Cassandra lets go of what it no longer needs a little later.
    await expect.poll(() => scan.find(gone), WAIT).toEqual({ plain: [], opened: [] })
  })
})

/** Numbers so long that they stand nowhere by chance, each by its path; without that of the name, which has its own canary. */
const longNumbersIn = (value: unknown, path = ''): readonly (readonly [string, string])[] => {
  if (typeof value === 'string')
    return /^\d{60,}$/.test(value) && value !== encodeValue(name) ? [[path, value]] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => longNumbersIn(inner, `${path}.${key}`))
}
