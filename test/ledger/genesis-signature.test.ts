import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signGenesis } from '../../src/ledger/genesis-signature.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'

describe('the signature of a genesis file', () => {
  it('verifies, and every start has the same key', async () => {
    const vault = new MemoryVault()
    const { signature, signingPublicKey } = await signGenesis(vault, 'nodes')
    const bytes = Buffer.from(signature, 'base64')
    expect(verify(null, Buffer.from('nodes'), createPublicKey(signingPublicKey), bytes)).toBe(true)
    expect((await signGenesis(vault, 'other')).signingPublicKey).toBe(signingPublicKey)
  })
})
