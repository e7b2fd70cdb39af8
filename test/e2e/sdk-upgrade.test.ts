import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { createSdk, folderStorage } from '../../sdk/node/development.ts'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import { MediatedHolder } from '../../sdk/wallet/mediated-holder.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { offerPerson, walletFor } from './mediated-phone.ts'
import { type Json, publishPerson, untilState, WAIT, walletOptions } from './running-service.ts'
import { synced } from './sdk-phone.ts'
import { serviceUnderTest, type ServiceUnderTest } from './service-under-test.ts'

let service: ServiceUnderTest

beforeAll(async () => {
  service = await serviceUnderTest()
})
afterAll(() => service?.close())

it('a wallet of format 1 goes on under the SDK, with its connection and its credential', async () => {
  const person = await publishPerson(service)
  const folder = temporaryFolder('vouchsafe-upgrade')
  const installation = randomUUID()
  const tokenProvider = async (): Promise<string> =>
    String((await walletFor(service, installation))['walletToken'])
  const { indyNamespace, genesis } = await walletOptions(service)
  const older = await MediatedHolder.open({
    indyNamespace,
    genesis,
    verbose: false,
    label: 'Phone',
    databaseFile: join(folder, 'wallet.sqlite'),
    pickup: 'polling',
    pollMs: 300,
    turnedOn: (agent) =>
      void new AutomaticHolder({ agent }, { offers: 'accept', proofs: 'ignore' }, () => undefined),
  })
  const token = await tokenProvider()
  const invited = await service.send('GET', '/v1/wallet/mediator-invitation', undefined, token)
  await older.register(String(invited.json['invitationUrl']))
  const { json } = await service.send('POST', '/v1/connections/invitations', {})
  await older.connect(String(json['invitationUrl']))
  const path = `/v1/connections?invitationId=${String(json['invitationId'])}&state=completed`
  const connectionId = await vi.waitFor(async () => {
    const [found] = (await service.send('GET', path)).json['items'] as Json[]
    expect(found).toBeDefined()
    return String(found?.['id'])
  }, WAIT)
  const offerId = await offerPerson(service, person.definitionId, connectionId, 'Ada')
  await untilState(service, `/v1/credentials/${offerId}`, 'done')
  await older[Symbol.asyncDispose]()

  const sdk = createSdk()
  onTestFinished(() => sdk.close())
  await sdk.initialize({ baseUrl: service.url(), tokenProvider, storage: folderStorage(folder) })
  expect(await sdk.credentials.list()).toMatchObject([
    { schemaName: 'person', attributes: { name: 'Ada', age: '36' } },
  ])
  expect(await sdk.connections()).toMatchObject([{ state: 'completed' }])
  const body = { connectionId, proofTemplateId: person.templateId }
  const proof = await service.send('POST', '/v1/proofs/request', body)
  await sdk.proofRequests.present((await synced(sdk, sdk.proofRequests.list)).id)
  const proven = await untilState(service, `/v1/proofs/${String(proof.json['id'])}`, 'done')
  expect(proven).toMatchObject({ verified: true, disclosed: { person: { name: 'Ada' } } })
})
