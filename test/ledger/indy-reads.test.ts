import { describe, expect, it } from 'vitest'
import type { Call } from '../../src/ledger/indy-messages.ts'
import { IndyReads } from '../../src/ledger/indy-reads.ts'
import { type LedgerQuestion, LedgerRefused, LedgerUnavailable } from '../../src/ports/ledger.ts'

const did = 'V4SGRU86Z58d6TV7PBUe6f'
const qualified = `did:indy:n:${did}/anoncreds/v0`

/** Reads whose calls are answered in turn; an error is thrown. */
const reading = (answers: readonly (string | Error)[] = []) => {
  const called: Call[] = []
  let failures = 0
  const reads = new IndyReads(
    {
      call: async (message) => {
        const answer = answers[called.length] ?? '{}'
        called.push(message)
        if (answer instanceof Error) throw answer
        return answer
      },
      failed: () => void (failures += 1),
    },
    { namespace: 'n', callTimeoutMs: 5_000, cachedObjectsMax: 10 },
  )
  return { reads, called, failures: () => failures }
}

describe('what is asked of the ledger', () => {
  it.each<[LedgerQuestion, string]>([
    [{ kind: 'schema', id: `${qualified}/SCHEMA/Higher degree/1.0` }, `${did}:2:Higher degree:1.0`],
    [{ kind: 'definition', id: `${qualified}/CLAIM_DEF/7/default` }, `${did}:3:CL:7:default`],
  ])('is spelled as the ledger spells it: %o', async (question, id) => {
    const { reads, called } = reading()
    await reads.text(question)
    expect(called).toEqual([{ do: 'read', query: { ...question, id } }])
  })

  it.each<LedgerQuestion>([
    { kind: 'schema', id: 'x'.repeat(2_000) },
    { kind: 'schema', id: `${did}:3:CL:7:default` },
    { kind: 'definition', id: `${did}:3:CL:0:default` },
    { kind: 'definition', id: `did:indy:other:${did}/anoncreds/v0/CLAIM_DEF/7/default` },
  ])('is nothing that no ledger has', async (question) => {
    const { reads, called } = reading()
    await expect(reads.text(question)).rejects.toThrow(LedgerRefused)
    expect(called).toEqual([])
  })

  it('is asked again where no answer came, and not where it was refused', async () => {
    const away = new LedgerUnavailable('away')
    const twice = reading([away, away, '{"data":null}'])
    expect(await twice.reads.text({ kind: 'agreement' })).toBe('{"data":null}')
    expect([twice.called.length, twice.failures()]).toEqual([3, 2])
    const refused = reading([new LedgerRefused('no')])
    await expect(refused.reads.text({ kind: 'agreement' })).rejects.toThrow(LedgerRefused)
    expect([refused.called.length, refused.failures()]).toEqual([1, 0])
  })
})
