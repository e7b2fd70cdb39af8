import { describe, expect, it } from 'vitest'
import { definition, endorser, ledgerOfRequests, owner, schema } from './ledger-of-requests.ts'

describe('what the sandbox answers to readers', () => {
  const { ask } = ledgerOfRequests()
  const written = ask(schema('degree', ['b', 'a']), [endorser]).result as { txnMetadata: { seqNo: number } }
  const ref = written.txnMetadata.seqNo
  ask(definition(ref), [endorser])
  ask({ type: '100', dest: endorser.did, raw: '{"endpoint":{"url":"x"}}' }, [endorser])

  it('an identity is a JSON text, or null', () => {
    const found = ask({ type: '105', dest: endorser.did }).result
    expect(JSON.parse(String(found?.['data']))).toMatchObject({ dest: endorser.did, role: '101' })
    expect(ask({ type: '105', dest: owner.did }).result).toMatchObject({ data: null, seqNo: null })
  })

  it('a schema has its attributes; one that is not there has none', () => {
    const asked = (name: string) =>
      ask({ type: '107', dest: endorser.did, data: { name, version: '1.0' } }).result
    expect(asked('degree')).toMatchObject({ seqNo: ref, data: { attr_names: ['b', 'a'] } })
    expect(asked('none')).toMatchObject({ seqNo: null, data: { name: 'none' } })
  })

  it('a definition is found by author, schema and tag', () => {
    const asked = (tag: string) =>
      ask({ type: '108', origin: endorser.did, ref, tag, signature_type: 'CL' }).result
    expect(asked('default')).toMatchObject({ data: { primary: { n: '1' } }, ref, tag: 'default' })
    expect(asked('other')).toMatchObject({ data: null })
  })

  it('an attribute is found by its name', () => {
    const asked = (raw: string) => ask({ type: '104', dest: endorser.did, raw }).result
    expect(asked('endpoint')).toMatchObject({ data: '{"endpoint":{"url":"x"}}' })
    expect(asked('other')).toMatchObject({ data: null })
  })

  it('nobody has to accept an agreement', () => {
    expect(ask({ type: '6' }).result).toMatchObject({ data: null })
    expect(ask({ type: '7' }).result).toMatchObject({ data: null })
  })

  it('a transaction comes with its proof; a ledger that is not kept is refused', () => {
    expect(ask({ type: '3', ledgerId: 1, data: ref }).result).toMatchObject({
      data: { txn: { type: '101' } },
      seqNo: ref,
    })
    expect(ask({ type: '3', ledgerId: 1, data: 999 }).result).toMatchObject({ data: null })
    expect(ask({ type: '3', ledgerId: 9, data: 1 }).op).toBe('REQNACK')
    expect(ask({ type: '3', ledgerId: 1, data: 'x' }).op).toBe('REQNACK')
  })
})
