import { limits } from '../../domain/limits.ts'
import { TENANT_CALLERS } from '../callers/caller.ts'
import { exact, recordOf, words, wordsOrNull } from '../route/fields.ts'
import { defineRoute, reply, type Route } from '../route/route.ts'
import { fixedTextRoute } from './fixed-text.ts'
import { serviceTags } from '../openapi/tags.ts'
import { VDR_PROXY } from './vdr-proxy.ts'

type GenesisFile = {
  readonly text: string
  readonly sha256: string
  /** Ed25519 over the bytes of the file, in base64. */
  readonly signature: string
}

export type LedgerFacts = {
  readonly namespace: string
  readonly genesis: GenesisFile
  /** Those that were in force before: what a wallet was told once stays where it was. */
  readonly earlier: readonly GenesisFile[]
  /** In PEM; it checks the signatures of all of them. */
  readonly signingPublicKey: string
  /** Whether anybody may read the ledger through the public port. */
  readonly hasVdrProxy: boolean
}

const EXAMPLE_SHA256 = 'c3ab8ff13720e8ad9047dd39466b3c8974e592c2fa383d4a3960714caef0c4f2'
const EXAMPLE = `https://vouchsafe.example/ledger/genesis/${EXAMPLE_SHA256}`

export const ledgerRoutes = (facts: LedgerFacts, publicUrl: () => string): readonly Route[] => {
  const { namespace, genesis, earlier, signingPublicKey, hasVdrProxy } = facts
  const pathOf = ({ sha256 }: GenesisFile) => `/ledger/genesis/${sha256}`
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/ledger',
      operationId: 'getLedger',
      answer: { headers: ['Cache-Control'] },
      summary: 'Says which ledger the credentials stand on',
      description: 'For wallets, and for services that check proofs elsewhere. May be kept for 5 minutes.',
      tag: serviceTags.service,
      access: { callers: [...TENANT_CALLERS, 'wallet_token'] },
      responses: {
        200: recordOf('Ledger', {
          indyNamespace: words('Which network this is.', 'sandbox'),
          genesis: exact(
            {
              url: words(
                'The genesis file, which never changes at its address: fetch it once.',
                `${EXAMPLE}/genesis.txn`,
              ),
              sha256: words('The checksum of the bytes of the file, in hex.', EXAMPLE_SHA256),
              signatureUrl: words(
                'Its detached signature: Ed25519 over the bytes of the file, as base64 text. How it is checked with openssl stands in the guide, [The ledger](/docs/ledger).',
                `${EXAMPLE}/genesis.sig`,
              ),
              signingPublicKey: words(
                'The Ed25519 key that checks the signature, in PEM.',
                '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n',
              ),
            },
            'The pool, as wallets have to know it.',
          ),
          vdrProxyUrl: wordsOrNull(
            'Where the ledger can be read over HTTP, for networks that block its ports: the paths of indy-vdr-proxy (`/genesis`, `/nym/…`, `/schema/…`, `/cred_def/…`, `/attrib/…`, `/taa`, `/aml`, `/txn/…`), of which none writes. Null where it is switched off.',
            'https://vouchsafe.example/ledger/vdr',
          ),
        }),
      },
      errors: [],
      handle: () => {
        const base = `${publicUrl()}${pathOf(genesis)}`
        const { sha256 } = genesis
        const found = {
          url: `${base}/genesis.txn`,
          sha256,
          signatureUrl: `${base}/genesis.sig`,
          signingPublicKey,
        }
        const vdrProxyUrl = hasVdrProxy ? `${publicUrl()}${VDR_PROXY}` : null
        return reply(
          200,
          { indyNamespace: namespace, genesis: found, vdrProxyUrl },
          { 'Cache-Control': `private, max-age=${limits.ledgerCacheSeconds}` },
        )
      },
    }),
    ...[genesis, ...earlier].flatMap((each) => genesisRoutes(pathOf(each), each)),
  ]
}

/** The checksum of the file is part of its path, so what was fetched from there once stays right. */
const genesisRoutes = (path: string, { text, signature }: GenesisFile): readonly Route[] => {
  const file = (operationId: string, name: string, summary: string, body: string): Route =>
    fixedTextRoute({
      path: `${path}/${name}`,
      operationId,
      summary,
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
      body,
    })
  return [
    file('getGenesis', 'genesis.txn', 'The genesis file of the ledger', text),
    file(
      'getGenesisSignature',
      'genesis.sig',
      'The signature of the genesis file: Ed25519 over its bytes, in base64',
      signature,
    ),
  ]
}
