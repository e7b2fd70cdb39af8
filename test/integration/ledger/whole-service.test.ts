import { join } from 'node:path'
import { expect, it } from 'vitest'
import { IndyLedger } from '../../../src/ledger/indy-ledger.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import { TRANSACTION_TYPE } from '../../../src/ledger/sandbox/transactions.ts'
import { signerFromSeed } from '../../../src/ledger/signer.ts'
import { ordersTo } from '../../../tools/harness/orders.ts'
import { atLength } from '../../at-length.ts'
import { ServiceProcess } from '../../service-process.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { startHeardPool } from './heard-pool.ts'
import { closedAtEnd } from '../../closed-at-end.ts'

const { SCHEMA, CLAIM_DEF, GET_CLAIM_DEF } = TRANSACTION_TYPE
const SCHEMAS = atLength(3, 16)
const DEFINITIONS = atLength(2, 4)
const READS = 1_000
const READS_AT_ONCE = 50

it('what is published is on the ledger once, where the process is killed between "submitted" and "recorded"', async () => {
  const dying: { service: ServiceProcess | null; kills: number } = { service: null, kills: 0 }
  const heard = ({ type }: { readonly type: string }): void => {
    if (dying.service === null || (type !== SCHEMA && type !== CLAIM_DEF)) return
    // The ledger has it, and no node has said so.
    dying.service.kill()
    dying.service = null
    dying.kills += 1
  }
  const pool = closedAtEnd(await startHeardPool('killed-publishing', { heard }))
  const data = join(temporaryFolder('killed-publishing'), 'data')
  const order = ordersTo(data)
  const start = async (): Promise<ServiceProcess> => {
    const started = new ServiceProcess({ ...pool.settings, VOUCHSAFE_DATA_FOLDER: data })
    await started.untilListening()
    return started
  }
  let service = await start()
  const tenant = String((await order('tenant create', { name: 'Registry' }))['id'])
  await expect.poll(() => order('tenant show', { tenant })).toMatchObject({ registered: true })

  const publish = async (kind: 'schema' | 'definition', input: object): Promise<string> => {
    const size = pool.size()
    const killed = service
    dying.service = killed
    // Its answer may die with it.
    await order(`${kind} publish`, { tenant, ...input }).catch(() => undefined)
    await killed.ended
    expect(pool.size()).toBe(size + 1)
    service = await start()
    const { id } = await order(`${kind} publish`, { tenant, ...input })
    await expect
      .poll(() => order(`${kind} show`, { tenant, id }))
      .toMatchObject({ status: 'published', lastError: null })
    expect(pool.size()).toBe(size + 1)
    return String(id)
  }

  const schemas: string[] = []
  for (let number = 1; number <= SCHEMAS; number += 1)
    schemas.push(
      await publish('schema', { name: `schema ${number}`, version: '1.0', attributes: ['expiresAt'] }),
    )
  for (const schemaId of schemas.slice(0, DEFINITIONS))
    await publish('definition', { schemaId, tag: 'default' })
  expect(dying.kills).toBe(SCHEMAS + DEFINITIONS)
  await service.stop()
}, 900_000)

it('a thousand reads of one definition over HTTP are one request to the ledger', async () => {
  const asked = new Set<string>()
  const pool = closedAtEnd(
    await startHeardPool('read-once', {
      heard: ({ type, id }) => {
        if (type === GET_CLAIM_DEF) asked.add(id)
      },
    }),
  )
  const issuer = closedAtEnd(
    new IndyLedger({
      namespace: 'sandbox',
      genesis: pool.genesis,
      endorser: signerFromSeed(pool.endorser.seed),
      callTimeoutMs: 10_000,
      callsMax: 10,
      cachedObjectsMax: 10,
    }),
  )
  const identity = identityFromSeed(Buffer.alloc(32, 71))
  await issuer.registerIdentity(identity)
  const author = signerFromSeed(identity.seed)
  const schema = { name: 'degree', version: '1.0', attributes: ['name'] }
  const { seqNo } = await issuer.publishSchema(author, schema)
  const value = { primary: { n: '12', s: '5', z: '7', rctxt: '3', r: { master_secret: '1', name: '1' } } }
  const { id } = await issuer.publishDefinition(author, { schemaSeqNo: seqNo, tag: 'default', value })
  asked.clear()

  const service = new ServiceProcess({
    ...pool.settings,
    VOUCHSAFE_VDR_PROXY_READS_PER_MINUTE: String(READS),
  })
  const { url } = await service.untilListening()
  const read = async (): Promise<number> => {
    const answer = await fetch(`${url}/ledger/vdr/cred_def/${id}`)
    expect(await answer.json()).toMatchObject({ result: { data: value } })
    return answer.status
  }
  for (let count = 0; count < READS; count += READS_AT_ONCE)
    expect(new Set(await Promise.all(Array.from({ length: READS_AT_ONCE }, read)))).toEqual(new Set([200]))
  expect(asked.size).toBe(1)
  expect((await fetch(`${url}/ledger/vdr/cred_def/${id}`)).status).toBe(429)
  await service.stop()
}, 240_000)
