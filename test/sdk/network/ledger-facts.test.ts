import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { overHttps } from '../../../sdk/core/network/addresses.ts'
import { readLedgerFacts } from '../../../sdk/core/network/ledger-facts.ts'
import { PlatformClient } from '../../../sdk/core/network/platform-client.ts'
import { Questions } from '../../../sdk/core/network/questions.ts'
import { sodiumCryptography } from '../../../sdk/node/sodium-cryptography.ts'
import { jsonBody, ScriptedNetwork, SteppedClock } from '../fakes.ts'

const signer = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')
const pem = ({ publicKey }: typeof signer): string =>
  publicKey.export({ format: 'pem', type: 'spki' }).toString()

const GENESIS = '{"txn":1}\n{"txn":2}\n'
const signatureOf = ({ privateKey }: typeof signer, text = GENESIS): string =>
  sign(null, Buffer.from(text), privateKey).toString('base64')

const files = 'https://platform.example/ledger'
const honest = {
  genesis: GENESIS,
  signature: signatureOf(signer),
  ledger: {
    indyNamespace: 'sandbox',
    genesis: {
      url: `${files}/genesis.txn`,
      sha256: createHash('sha256').update(GENESIS).digest('hex'),
      signatureUrl: `${files}/genesis.sig`,
      signingPublicKey: pem(signer),
    },
    vdrProxyUrl: `${files}/vdr` as string | null,
  },
}

const read = (platform: Partial<typeof honest>, trusted: readonly string[] | null = null) => {
  const { genesis, signature, ledger } = { ...honest, ...platform }
  const bodies: Readonly<Record<string, Uint8Array>> = {
    '/v1/ledger': jsonBody(ledger),
    '/ledger/genesis.txn': Buffer.from(genesis),
    '/ledger/genesis.sig': Buffer.from(signature),
  }
  const network = new ScriptedNetwork(({ url }) => ({
    body: bodies[new URL(url).pathname] ?? Buffer.from(''),
  }))
  const client = new PlatformClient(
    new Questions(network, overHttps),
    'https://platform.example',
    async () => 'token',
    new SteppedClock(),
  )
  return readLedgerFacts(client, { cryptography: sodiumCryptography, trustedSigningKeys: trusted })
}
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'believed',
    ({ kind, code }: { kind: string; code: string }) => `${kind} ${code}`,
  )
const withGenesis = (genesis: Partial<(typeof honest)['ledger']['genesis']>) => ({
  ledger: { ...honest.ledger, genesis: { ...honest.ledger.genesis, ...genesis } },
})

describe('the ledger that the platform says', () => {
  it('is believed with hash and signature', async () => {
    expect(await read({})).toMatchObject({
      indyNamespace: 'sandbox',
      genesis: GENESIS,
      vdrProxyUrl: `${files}/vdr`,
    })
    expect(await read({ ledger: { ...honest.ledger, vdrProxyUrl: null } })).toMatchObject({
      vdrProxyUrl: null,
    })
    expect(await codeOf(read({ signature: `${honest.signature}\n` }))).toBe('believed')
  })

  it('is not believed with another file', async () => {
    expect(await codeOf(read({ genesis: `${GENESIS} ` }))).toBe('PlatformError genesis_hash_wrong')
  })

  it('is not believed with the signature of another file, of a stranger, or with none', async () => {
    const wrong = 'PlatformError genesis_signature_wrong'
    expect(await codeOf(read({ signature: signatureOf(signer, 'other') }))).toBe(wrong)
    expect(await codeOf(read({ signature: signatureOf(stranger) }))).toBe(wrong)
    expect(await codeOf(read({ signature: '' }))).toBe(wrong)
    expect(await codeOf(read(withGenesis({ signingPublicKey: 'no key' })))).toBe(wrong)
  })

  it('is not believed with a signer whom the app does not trust', async () => {
    const theirs = { ...withGenesis({ signingPublicKey: pem(stranger) }), signature: signatureOf(stranger) }
    expect(await codeOf(read(theirs))).toBe('believed')
    expect(await codeOf(read(theirs, [pem(signer)]))).toBe('PlatformError genesis_key_foreign')
    expect(await codeOf(read({}, [pem(stranger), pem(signer)]))).toBe('believed')
  })

  it('is not read over plain http', async () => {
    const plain = withGenesis({ url: 'http://platform.example/ledger/genesis.txn' })
    expect(await codeOf(read(plain))).toBe('PlatformError address_refused')
  })

  it('is refused where something is missing', async () => {
    expect(await codeOf(read(withGenesis({ sha256: '' })))).toBe('PlatformError ledger_answer_incomplete')
  })
})
