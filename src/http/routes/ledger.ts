import { limits } from '../../domain/limits.ts'
import { TENANT_CALLERS } from '../callers/caller.ts'
import { exact, recordOf, words, wordsOrNull } from '../route/fields.ts'
import { defineRoute, reply, type Route } from '../route/route.ts'
import { fixedTextRoute } from './fixed-text.ts'
import { serviceTags } from '../openapi/tags.ts'

export type LedgerFacts = {
  readonly namespace: string
  readonly genesis: { readonly text: string; readonly sha256: string }
  /** The Ed25519 signature of the genesis file in base64, and the key that checks it in PEM. */
  readonly signature: string
  readonly signingPublicKey: string
}

const GENESIS = 'https://vouchsafe.example/ledger/genesis/c3ab8ff13720e8ad/genesis.txn'

/** The checksum of the genesis file is part of its path, so what a wallet has fetched once stays right. */
export const ledgerRoutes = (facts: LedgerFacts, publicUrl: () => string): readonly Route[] => {
  const { namespace, genesis, signature, signingPublicKey } = facts
  const path = `/ledger/genesis/${genesis.sha256}`
  const file = (operationId: string, name: string, summary: string, body: string): Route =>
    fixedTextRoute({
      path: `${path}/${name}`,
      operationId,
      summary,
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
      body,
    })
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
              url: words('The genesis file, which never changes at its address: fetch it once.', GENESIS),
              sha256: words('The checksum of the file, hex.', 'c3ab8ff13720e8ad…'),
              signatureUrl: words('Its detached signature.', `${GENESIS}.sig`),
              signingPublicKey: words('The key that checks the signature.', '-----BEGIN PUBLIC KEY-----…'),
            },
            'The pool, as wallets have to know it.',
          ),
          vdrProxyUrl: wordsOrNull(
            'A ledger proxy over https, for networks that block the ports of the ledger.',
            null,
          ),
        }),
      },
      errors: [],
      handle: () => {
        const base = `${publicUrl()}${path}`
        const { sha256 } = genesis
        const found = {
          url: `${base}/genesis.txn`,
          sha256,
          signatureUrl: `${base}/genesis.sig`,
          signingPublicKey,
        }
        return reply(
          200,
          { indyNamespace: namespace, genesis: found, vdrProxyUrl: null },
          { 'Cache-Control': `private, max-age=${limits.ledgerCacheSeconds}` },
        )
      },
    }),
    file('getGenesis', 'genesis.txn', 'The genesis file of the ledger', genesis.text),
    file('getGenesisSignature', 'genesis.sig', 'The signature of the genesis file', signature),
  ]
}
