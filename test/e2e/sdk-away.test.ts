import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { reservePorts } from '../../src/ledger/sandbox/reserved-ports.ts'
import { killedPhone } from './killed-phone.ts'
import { offerPerson } from './mediated-phone.ts'
import {
  freshFolder,
  publishPerson,
  runningService,
  type RunningService,
  untilState,
  WAIT,
} from './running-service.ts'
import { connectionOf, synced } from './sdk-phone.ts'

/** A service that is stopped and comes back at the same address, with everything that it had. */
const stoppableService = async () => {
  const folder = freshFolder()
  const settings = { PORT: String(await reservePorts(1)) }
  let running: RunningService = await runningService(settings, join(folder, 'data'))
  const { send, apiKey } = running
  const { url } = running.app
  return {
    running,
    service: { url: () => url, apiKey, send },
    stop: () => running.app.stop(),
    start: async (): Promise<void> => {
      running = await runningService(settings, join(folder, 'data'))
    },
  }
}

const kindOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing',
    ({ kind }: { kind: string }) => kind,
  )

it('an app goes on where it was when mediator, ledger and network were away for a while', async () => {
  const { running, service, stop, start } = await stoppableService()
  const { send } = service
  const person = await publishPerson(running)
  const phone = killedPhone(service, { isOnline: () => online })
  let online = true
  const sdk = await phone.open()
  const { json } = await send('POST', '/v1/connections/invitations', {})
  await sdk.receiveInvitation(String(json['invitationUrl']))
  const connectionId = await connectionOf(service, String(json['invitationId']), sdk)
  const first = await offerPerson(service, person.definitionId, connectionId, 'Ada')
  const offer = await synced(sdk, sdk.offers.list)
  const asked = await send('POST', '/v1/proofs/request', { connectionId, proofTemplateId: person.templateId })
  const request = await synced(sdk, sdk.proofRequests.list)

  await stop()
  expect(await kindOf(sdk.sync())).toBe('MediatorUnavailable')
  expect(await kindOf(sdk.offers.accept(offer.id))).toBe('LedgerUnavailable')
  expect(await sdk.offers.list()).toMatchObject([{ id: offer.id, state: 'offered' }])
  online = false
  expect(await kindOf(sdk.sync())).toBe('NetworkUnavailable')
  // A wallet that has been set up opens without network.
  await phone.close()
  const offline = await phone.open()
  expect(await offline.offers.list()).toHaveLength(1)
  expect(await kindOf(offline.sync())).toBe('NetworkUnavailable')

  await start()
  online = true
  await offline.offers.accept(offer.id)
  const credential = await synced(offline, offline.credentials.list)
  await untilState(service, `/v1/credentials/${first}`, 'done')

  // Definitions are kept: what is presented while everything is away arrives when it is back.
  await stop()
  expect(await offline.proofRequests.present(request.id)).toMatchObject({ state: 'presented' })
  expect(await offline.proofRequests.list()).toMatchObject([{ state: 'presented' }])
  await phone.close()
  await start()
  const again = await phone.open()
  await again.sync()
  const proven = await untilState(service, `/v1/proofs/${String(asked.json['id'])}`, 'done')
  expect(proven).toMatchObject({ verified: true, disclosed: { person: { name: 'Ada' } } })
  expect(await again.credentials.list()).toMatchObject([{ id: credential.id }])

  // What the organisation erases of itself does not change what the holder has.
  await vi.waitFor(async () => {
    expect((await send('POST', `/v1/credentials/${first}/erase`)).status).toBe(200)
  }, WAIT)
  const later = await send('POST', '/v1/proofs/request', { connectionId, proofTemplateId: person.templateId })
  await again.proofRequests.present(
    (
      await synced(again, async () =>
        (await again.proofRequests.list()).filter(({ state }) => state === 'requested'),
      )
    ).id,
  )
  const still = await untilState(service, `/v1/proofs/${String(later.json['id'])}`, 'done')
  expect(still).toMatchObject({ verified: true })
  await phone.close()
  await stop()
})
