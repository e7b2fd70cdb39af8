import { join } from 'node:path'
import bs58 from 'bs58'
import sodium from 'sodium-native'
import type { Identity } from '../../../src/ledger/sandbox/identities.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import { SandboxLedger } from '../../../src/ledger/sandbox/sandbox-ledger.ts'
import { signingText } from '../../../src/ledger/sandbox/signing-text.ts'
import { TransactionFile } from '../../../src/ledger/sandbox/transaction-file.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

export const trustee = identityFromSeed(Buffer.alloc(32, 1))
export const steward = identityFromSeed(Buffer.alloc(32, 2))
export const endorser = identityFromSeed(Buffer.alloc(32, 3))
export const owner = identityFromSeed(Buffer.alloc(32, 4))
export const stranger = identityFromSeed(Buffer.alloc(32, 5))

type Answer = {
  readonly op: string
  readonly reason?: string
  readonly result?: Readonly<Record<string, unknown>>
}

/** A ledger with one identity of each role, asked by requests as a node would hear them. */
export const ledgerOfRequests = () => {
  const { file } = TransactionFile.open(join(temporaryFolder('sandbox-ledger'), 'transactions.jsonl'))
  const bugs: unknown[] = []
  const quorum = { isThere: true }
  const ledger = new SandboxLedger({
    file,
    transactions: [],
    poolTransactions: [],
    now: () => 1_000_000,
    onBug: (error) => bugs.push(error),
    hasQuorum: () => quorum.isThere,
  })
  let last = 0
  const seeds = [
    [trustee, '0'],
    [steward, '2'],
    [endorser, '101'],
  ] as const
  for (const [identity, role] of seeds) ledger.seedNym(identity.did, identity.verkey, role)

  const ask = (
    operation: Record<string, unknown>,
    signers: readonly Identity[] = [],
    more: object = {},
  ): Answer => {
    last += 1
    const [author, second] = signers
    const request = {
      identifier: author?.did ?? 'LibindyDid111111111111',
      reqId: last,
      protocolVersion: 2,
      operation,
      ...(second ? { endorser: second.did } : {}),
      ...more,
    }
    const text = Buffer.from(signingText(request))
    const signatures = Object.fromEntries(
      signers.map((signer) => {
        const signature = Buffer.alloc(sodium.crypto_sign_BYTES)
        sodium.crypto_sign_detached(signature, text, signer.secretKey)
        return [signer.did, bs58.encode(signature)]
      }),
    )
    return ledger.answer(JSON.stringify({ ...request, signatures })).at(-1) as Answer
  }
  return { ledger, ask, bugs, quorum }
}

export const nym = (identity: Identity, role?: string | null): Record<string, unknown> => ({
  type: '1',
  dest: identity.did,
  verkey: identity.verkey,
  ...(role === undefined ? {} : { role }),
})

export const schema = (
  name = 'degree',
  names: readonly unknown[] = ['a', 'b'],
  version = '1.0',
): Record<string, unknown> => ({
  type: '101',
  data: { name, version, attr_names: names },
})

export const definition = (ref: unknown, tag = 'default'): Record<string, unknown> => ({
  type: '102',
  ref,
  signature_type: 'CL',
  tag,
  data: { primary: { n: '1' } },
})
