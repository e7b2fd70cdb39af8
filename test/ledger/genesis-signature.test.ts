import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { genesisSigner } from '../../src/ledger/genesis-signature.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'

describe('the signature of a genesis file', () => {
  it('verifies, and every start has the same key', async () => {
    const vault = new MemoryVault()
    const { sign, signingPublicKey } = await genesisSigner(vault)
    const bytes = Buffer.from(sign('nodes'), 'base64')
    expect(verify(null, Buffer.from('nodes'), createPublicKey(signingPublicKey), bytes)).toBe(true)
    expect((await genesisSigner(vault)).signingPublicKey).toBe(signingPublicKey)
  })
})
