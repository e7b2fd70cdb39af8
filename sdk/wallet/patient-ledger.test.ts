import type { IndyVdrPoolService } from '@credo-ts/indy-vdr'
import { GetSchemaRequest, type IndyVdrRequest, IndyVdrError } from '@hyperledger/indy-vdr-nodejs'
import { describe, expect, it } from 'vitest'
import { waitForLedgers } from './patient-ledger.ts'

const POOL_TIMEOUT = 32
const REQUEST_FAILED = 31
const always = new AbortController().signal
const schemaRequest = () => new GetSchemaRequest({ schemaId: 'V4SGRU86Z58d6TV7PBUe6f:2:person:1.0' })

/** A pool that says these codes before it answers, and uses requests up as the real one does. */
const poolThatSays = (...codes: number[]) => {
  const bodies: string[] = []
  const pool = {
    submitRequest: async (request: IndyVdrRequest): Promise<unknown> => {
      bodies.push(request.body)
      request.free()
      const code = codes.shift()
      if (code !== undefined) throw new IndyVdrError({ code, message: 'no answer' })
      return 'answered'
    },
  }
  waitForLedgers({ pools: [pool] } as unknown as IndyVdrPoolService, always)
  return { pool, bodies }
}

describe('a wallet whose ledger is away', () => {
  it('asks the same again until it is answered', async () => {
    const { pool, bodies } = poolThatSays(POOL_TIMEOUT, POOL_TIMEOUT)
    expect(await pool.submitRequest(schemaRequest())).toBe('answered')
    expect(bodies.map((body) => JSON.parse(body) as object)).toHaveLength(3)
    expect(new Set(bodies).size).toBe(1)
  })

  it('believes a ledger that answers no', async () => {
    const { pool, bodies } = poolThatSays(REQUEST_FAILED)
    await expect(pool.submitRequest(schemaRequest())).rejects.toThrow('no answer')
    expect(bodies).toHaveLength(1)
  })
})
