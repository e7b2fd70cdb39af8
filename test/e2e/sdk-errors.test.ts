import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, statSync, truncateSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createSdk,
  folderStorage,
  type InitializeOptions,
  WalletError,
  type WalletErrorKind,
} from '../../sdk/node/development.ts'
import { libraries } from '../../sdk/node/native.ts'
import { reservePorts } from '../../src/ledger/sandbox/reserved-ports.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { killedPhone } from './killed-phone.ts'
import { offerPerson, walletFor } from './mediated-phone.ts'
import { publishPerson } from './running-service.ts'
import { connectionOf, sdkPhone, synced } from './sdk-phone.ts'
import { placesUnderTest, type ServiceUnderTest } from './service-under-test.ts'

const failure = async (work: Promise<unknown>): Promise<WalletError> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(WalletError)
  return error as WalletError
}
const kindOf = async (work: Promise<unknown>): Promise<WalletErrorKind> => (await failure(work)).kind

/** A way out on which the ports of the ledger are closed: its nodes are looked for where nobody listens. */
const blockedLedger = async (): Promise<() => void> => {
  const closed = String(await reservePorts(1))
  const { indyVdr } = libraries
  const poolCreate = indyVdr.poolCreate.bind(indyVdr)
  const spy = vi.spyOn(indyVdr, 'poolCreate').mockImplementation((options) => {
    const text = JSON.stringify(options).replaceAll(/((?:client|node)_port\\*":\s*)\d+/g, `$1${closed}`)
    return poolCreate(JSON.parse(text) as typeof options)
  })
  onTestFinished(() => spy.mockRestore())
  return () => spy.mockRestore()
}

/** A gateway that answers everything with a page of its own. */
const gateway = async (status: number): Promise<string> => {
  const server = createServer((_, response) =>
    response.writeHead(status, { 'Content-Type': 'text/html' }).end(`<html>${status}</html>`),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe.each(placesUnderTest)('what an app with the SDK hears, on $name', (place) => {
  let service: ServiceUnderTest

  beforeAll(async () => {
    service = await place.open()
  })
  afterAll(() => service?.close())

  /** A first start, in a folder of its own. */
  const start = (more: Partial<InitializeOptions> & Pick<InitializeOptions, 'tokenProvider'>) => {
    const sdk = createSdk()
    onTestFinished(() => sdk.close())
    const storage = folderStorage(temporaryFolder('vouchsafe-errors'))
    return sdk.initialize({ baseUrl: service.url(), storage, ...more })
  }
  const tokenOf = async (installation: string): Promise<string> =>
    String((await walletFor(service, installation))['walletToken'])

  it('NotInitialized before it has begun', async () => {
    const sdk = createSdk()
    expect(await kindOf(sdk.sync())).toBe('NotInitialized')
    expect(await kindOf(sdk.credentials.list())).toBe('NotInitialized')
    expect(await kindOf(sdk.reset())).toBe('NotInitialized')
  })

  it('WalletTokenRejected when its wallet was revoked, after its backend was asked twice', async () => {
    const made = await walletFor(service, randomUUID())
    await service.send('DELETE', `/v1/wallets/${String(made['id'])}`)
    const asked: boolean[] = []
    const tokenProvider: InitializeOptions['tokenProvider'] = async ({ again }) => {
      asked.push(again)
      return String(made['walletToken'])
    }
    expect(await kindOf(start({ tokenProvider }))).toBe('WalletTokenRejected')
    expect(asked).toEqual([false, true])
  })

  it('nothing when the second token is good', async () => {
    const installation = randomUUID()
    const tokenProvider: InitializeOptions['tokenProvider'] = async ({ again }) =>
      again ? await tokenOf(installation) : 'svc_wt_outdated'
    await expect(start({ tokenProvider })).resolves.toBeUndefined()
  })

  it('NetworkUnavailable when nothing answers at its first start', async () => {
    const baseUrl = `http://127.0.0.1:${await reservePorts(1)}`
    expect(await kindOf(start({ baseUrl, tokenProvider: async () => 'svc_wt_x' }))).toBe('NetworkUnavailable')
  })

  it('PlatformError, with the time to wait, when it asked for too many invitations', async () => {
    const installation = randomUUID()
    const token = await tokenOf(installation)
    const tokenProvider = async (): Promise<string> => token
    for (let times = 0; times < 3; times++) await start({ tokenProvider })
    const error = await failure(start({ tokenProvider }))
    expect(error).toMatchObject({ kind: 'PlatformError', code: 'rate_limited' })
    expect(error.retryAfterSeconds).toBeGreaterThan(0)
  })

  it('MediatorUnavailable when nobody answers where it is, and NetworkUnavailable without network, until it is back', async () => {
    let [isBlocked, isOnline] = [false, true]
    const closed = await reservePorts(1)
    const phone = killedPhone(service, {
      isOnline: () => isOnline,
      wayTo: (url) => (isBlocked ? `http://127.0.0.1:${closed}` : url),
    })
    const sdk = await phone.open()
    isBlocked = true
    expect(await kindOf(sdk.sync())).toBe('MediatorUnavailable')
    isOnline = false
    expect(await kindOf(sdk.sync())).toBe('NetworkUnavailable')
    isBlocked = false
    expect(await sdk.sync()).toMatchObject({ waiting: 0 })
    await phone.close()
  })

  /** A phone that has got an offer, and is closed. `wayTo` is its way out from then on. */
  const offeredPhone = async (wayTo: (url: string) => string) => {
    const person = await publishPerson(service)
    const phone = killedPhone(service, { wayTo })
    const sdk = await phone.open()
    const { json } = await service.send('POST', '/v1/connections/invitations', {})
    await sdk.receiveInvitation(String(json['invitationUrl']))
    const connectionId = await connectionOf(service, String(json['invitationId']), sdk)
    await offerPerson(service, person.definitionId, connectionId, 'Ada')
    const { id } = await synced(sdk, sdk.offers.list)
    await phone.close()
    return { phone, id }
  }

  it('LedgerUnavailable when neither its nodes nor the proxy answer, until they do', async () => {
    const closed = await reservePorts(1)
    const { phone, id } = await offeredPhone((url) =>
      url.includes('/ledger/vdr') ? `http://127.0.0.1:${closed}` : url,
    )
    const unblock = await blockedLedger()
    const blocked = await phone.open()
    expect(await kindOf(blocked.offers.accept(id))).toBe('LedgerUnavailable')
    expect(await blocked.offers.list()).toMatchObject([{ id, state: 'offered' }])
    await phone.close()

    unblock()
    const again = await phone.open()
    await again.offers.accept(id)
    await synced(again, again.credentials.list)
    await phone.close()
  })

  it('nothing when the ports of the ledger are blocked, because it is read through the proxy', async () => {
    const asked: string[] = []
    const { phone, id } = await offeredPhone((url) => {
      asked.push(url)
      return url
    })
    await blockedLedger()
    const blocked = await phone.open()
    await blocked.offers.accept(id)
    await synced(blocked, blocked.credentials.list)
    const [genesis, ...reads] = asked.flatMap((url) => /\/ledger\/vdr\/(\w+)/.exec(url)?.[1] ?? [])
    expect(genesis).toBe('genesis')
    expect(reads).toEqual(expect.arrayContaining(['cred_def', 'txn', 'schema']))
    await phone.close()
  })

  it.each([404, 400, 200])(
    'nothing when a gateway answers %i in the place of the service',
    async (status) => {
      const page = await gateway(status)
      let isGated = false
      const { phone, id } = await offeredPhone((url) => (isGated && url.includes('/didcomm') ? page : url))
      const sdk = await phone.open()
      const heard: string[] = []
      sdk.on('offerChanged', ({ state }) => void heard.push(state))
      isGated = true
      await sdk.offers.accept(id)
      expect([heard, await sdk.offers.list()]).toMatchObject([['accepted'], [{ id, state: 'accepted' }]])
      isGated = false
      await synced(sdk, sdk.credentials.list)
      expect(heard).toEqual(['accepted', 'received'])
      await phone.close()
    },
  )

  it('InvalidInvitation for what is none', async () => {
    const { sdk } = await sdkPhone(service)
    expect(await kindOf(sdk.receiveInvitation('https://example.com/'))).toBe('InvalidInvitation')
    expect(await kindOf(sdk.receiveInvitation(`${service.url()}/i/x?oob=e30`))).toBe('InvalidInvitation')
  })

  it('InvalidInvitation for one that somebody else has taken, of which nothing is left', async () => {
    const [first, second] = [await sdkPhone(service), await sdkPhone(service)]
    const { json } = await service.send('POST', '/v1/connections/invitations', {})
    const url = String(json['invitationUrl'])
    await first.sdk.receiveInvitation(url)
    expect(await kindOf(second.sdk.receiveInvitation(url))).toBe('InvalidInvitation')
    expect(await second.sdk.connections()).toEqual([])
    expect(await kindOf(second.sdk.receiveInvitation(url))).toBe('InvalidInvitation')
  })

  it('NotFound for what is not there', async () => {
    const { sdk } = await sdkPhone(service)
    expect(await kindOf(sdk.credentials.get('x'))).toBe('NotFound')
    expect(await kindOf(sdk.credentials.delete('x'))).toBe('NotFound')
    expect(await kindOf(sdk.offers.accept('x'))).toBe('NotFound')
    expect(await kindOf(sdk.offers.decline('x'))).toBe('NotFound')
    expect(await kindOf(sdk.proofRequests.present('x'))).toBe('NotFound')
  })

  it('InvalidSelection when it has nothing that answers, or presents something else', async () => {
    const person = await publishPerson(service)
    const { sdk, connect } = await sdkPhone(service)
    const connectionId = await connect()
    await service.send('POST', '/v1/proofs/request', { connectionId, proofTemplateId: person.templateId })
    const { id } = await synced(sdk, sdk.proofRequests.list)
    expect(await kindOf(sdk.proofRequests.select(id))).toBe('InvalidSelection')
    await offerPerson(service, person.definitionId, connectionId, 'Ada')
    await sdk.offers.accept((await synced(sdk, sdk.offers.list)).id)
    await synced(sdk, sdk.credentials.list)
    const { person: chosen = '', ...rest } = await sdk.proofRequests.select(id)
    expect(await kindOf(sdk.proofRequests.present(id, rest))).toBe('InvalidSelection')
    expect(await kindOf(sdk.proofRequests.present(id, { ...rest, person: 'x' }))).toBe('InvalidSelection')
    await sdk.proofRequests.present(id, { ...rest, person: chosen })
    expect(await kindOf(sdk.proofRequests.present(id))).toBe('NotFound')
  })

  it('WalletKeyLost when the key is gone, and begins anew after a reset', async () => {
    const { sdk, folder, initialize } = await sdkPhone(service)
    await sdk.close()
    rmSync(join(folder, 'wallet.key'))
    expect(await kindOf(initialize())).toBe('WalletKeyLost')
    expect(statSync(join(folder, 'wallet.sqlite')).size).toBeGreaterThan(0)
    await sdk.reset()
    await expect(initialize()).resolves.toBeUndefined()
    expect(await sdk.connections()).toEqual([])
  })

  it('Internal when its database was cut off, which is left as it is', async () => {
    const { sdk, folder, initialize } = await sdkPhone(service)
    await sdk.close()
    const file = join(folder, 'wallet.sqlite')
    const half = Math.floor(statSync(file).size / 2)
    truncateSync(file, half)
    expect(await failure(initialize())).toMatchObject({ kind: 'Internal', code: 'storage_damaged' })
    expect(statSync(file).size).toBe(half)
  })
})
