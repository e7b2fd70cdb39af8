import { createHash, randomUUID, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createPlainServer, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSdk, folderStorage, type InitializeOptions } from '../../../sdk/node/index.ts'
import { createAuthority } from '../../../tools/infra/certificates.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

// A release build against a platform that does not mean well, on loopback.

const signer = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')
const pem = ({ publicKey }: typeof signer): string =>
  publicKey.export({ format: 'pem', type: 'spki' }).toString()
const GENESIS = '{"txn":{}}\n'
const signed = ({ privateKey }: typeof signer): string =>
  sign(null, Buffer.from(GENESIS), privateKey).toString('base64')

type Answer = { readonly status?: number; readonly body?: string; readonly location?: string }

let answers: Record<string, Answer> = {}
const asked: string[] = []
const serve: RequestListener = (request, response) => {
  asked.push(request.url ?? '')
  const { status = 200, body = '', location } = answers[request.url ?? ''] ?? { status: 404 }
  response.writeHead(status, location === undefined ? {} : { Location: location }).end(body)
}

const authority = createAuthority('A platform that does not mean well')
const { certificate, key } = authority.issue('localhost', ['localhost', '127.0.0.1'])
const sealed = createServer({ cert: certificate, key }, serve)
const plain = createPlainServer(serve)
const trusted = getCACertificates()
let secure = ''
let insecure = ''

beforeAll(async () => {
  setDefaultCACertificates([...trusted, authority.certificate])
  await Promise.all([sealed, plain].map((server) => once(server.listen(0, '127.0.0.1'), 'listening')))
  secure = `https://127.0.0.1:${(sealed.address() as AddressInfo).port}`
  insecure = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  for (const server of [sealed, plain]) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

const ledger = (more: Readonly<Record<string, string>> = {}): Answer => ({
  body: JSON.stringify({
    indyNamespace: 'sandbox',
    genesis: {
      url: `${secure}/genesis.txn`,
      sha256: createHash('sha256').update(GENESIS).digest('hex'),
      signatureUrl: `${secure}/genesis.sig`,
      signingPublicKey: pem(signer),
      ...more,
    },
    vdrProxyUrl: null,
  }),
})

/** Anybody's key: nobody here reads what is sealed for it. */
const KEY = 'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH'

const invitationTo = (serviceEndpoint: string): Answer => {
  const invitation = {
    '@type': 'https://didcomm.org/out-of-band/1.1/invitation',
    '@id': randomUUID(),
    label: 'x',
    services: [{ id: '#1', type: 'did-communication', serviceEndpoint, recipientKeys: [KEY] }],
    handshake_protocols: ['https://didcomm.org/didexchange/1.1'],
  }
  const oob = Buffer.from(JSON.stringify(invitation)).toString('base64url')
  return { body: JSON.stringify({ invitationUrl: `${secure}/?oob=${oob}` }) }
}

beforeEach(() => {
  asked.length = 0
  answers = {
    '/v1/ledger': ledger(),
    '/genesis.txn': { body: GENESIS },
    '/genesis.sig': { body: signed(signer) },
    '/v1/wallet/mediator-invitation': { status: 503 },
  }
})

const start = async (more: Partial<InitializeOptions> = {}): Promise<string> => {
  const sdk = createSdk()
  const storage = folderStorage(temporaryFolder('vouchsafe-hostile'))
  try {
    await sdk.initialize({ baseUrl: secure, tokenProvider: async () => 'svc_wt_x', storage, ...more })
    return 'started'
  } catch (error) {
    const { kind, code } = error as { kind: string; code: string }
    return `${kind} ${code}`
  } finally {
    await sdk.close()
  }
}

describe('a release build', () => {
  it('comes as far as the mediator with a platform that is honest', async () => {
    expect(await start()).toBe('PlatformError status_503')
  })

  it('says nothing over plain http', async () => {
    expect(await start({ baseUrl: insecure })).toBe('PlatformError address_refused')
    answers['/v1/ledger'] = ledger({ url: `${insecure}/genesis.txn` })
    expect(await start()).toBe('PlatformError address_refused')
    answers['/v1/ledger'] = ledger({ signatureUrl: `${insecure}/genesis.sig` })
    expect(await start()).toBe('PlatformError address_refused')
    answers['/v1/ledger'] = ledger()
    answers['/v1/wallet/mediator-invitation'] = invitationTo(`${insecure}/didcomm`)
    expect(await start()).toBe('MediatorUnavailable null')
    expect(asked).not.toContain('/didcomm')
  })

  it('is not led from the mediator to another address', async () => {
    answers['/v1/wallet/mediator-invitation'] = invitationTo(`${secure}/didcomm`)
    answers['/didcomm'] = { status: 307, location: '/elsewhere' }
    expect(await start()).toBe('MediatorUnavailable null')
    expect(asked).toContain('/didcomm')
    expect(asked).not.toContain('/elsewhere')
  })

  it.each([
    ['/v1/ledger', '/elsewhere'],
    ['/genesis.txn', '/elsewhere.txn'],
    ['/genesis.sig', '/elsewhere.sig'],
    ['/v1/wallet/mediator-invitation', '/elsewhere'],
  ])('is not led from %s to another address', async (from, to) => {
    answers[to] = answers[from] ?? {}
    answers[from] = { status: 307, location: to }
    expect(await start()).toBe('PlatformError redirect_refused')
    expect(asked).not.toContain(to)
  })

  it('does not take a genesis file of another hash', async () => {
    answers['/genesis.txn'] = { body: `${GENESIS}{"txn":{}}\n` }
    expect(await start()).toBe('PlatformError genesis_hash_wrong')
  })

  it('does not take the signature of a stranger', async () => {
    answers['/genesis.sig'] = { body: signed(stranger) }
    expect(await start()).toBe('PlatformError genesis_signature_wrong')
  })

  it('does not take a stranger as the signer, where the app knows who it is', async () => {
    answers['/v1/ledger'] = ledger({ signingPublicKey: pem(stranger) })
    answers['/genesis.sig'] = { body: signed(stranger) }
    expect(await start({ trustedSigningKeys: [pem(signer)] })).toBe('PlatformError genesis_key_foreign')
  })

  it('does not speak to a server whose certificate it does not know', async () => {
    setDefaultCACertificates(trusted)
    const elsewhere = secure.replace('127.0.0.1', 'localhost')
    expect(await start({ baseUrl: elsewhere })).toBe('NetworkUnavailable null')
    setDefaultCACertificates([...trusted, authority.certificate])
    expect(asked).toEqual([])
  })
})
