import { beforeEach, describe, expect, it } from 'vitest'
import { overHttps } from '../../../sdk/core/network/addresses.ts'
import { LedgerProxy } from '../../../sdk/core/network/ledger-proxy.ts'
import { Questions } from '../../../sdk/core/network/questions.ts'
import type { NetworkAnswer } from '../../../sdk/core/ports.ts'
import { jsonBody, ScriptedNetwork } from '../fakes.ts'

const GENESIS = '{"txn":1}\n{"txn":2}\n'
const DID = 'V4SGRU86Z58d6TV7PBUe6f'

const asking = (operation: object): string => JSON.stringify({ reqId: 1, operation, protocolVersion: 2 })
const schema = { type: '107', dest: DID, data: { name: 'my degree', version: '1.0' } }
const definition = { type: '108', origin: DID, ref: 4, tag: 'default', signature_type: 'CL' }
const nym = { type: '105', dest: DID }
const transaction = { type: '3', data: 4, ledgerId: 1 }

const found: Readonly<Record<string, object>> = {
  [`/schema/${encodeURIComponent(`${DID}:2:my degree:1.0`)}`]: {
    ...schema,
    data: { name: 'my degree', version: '1.0', attr_names: ['name'] },
  },
  [`/cred_def/${encodeURIComponent(`${DID}:3:CL:4:default`)}`]: { ...definition, data: { primary: {} } },
  [`/nym/${DID}`]: { ...nym, data: JSON.stringify({ dest: DID, verkey: 'x' }) },
  '/txn/1/4': { ...transaction, data: { txn: { type: '101' }, txnMetadata: { seqNo: 4 } } },
}

let paths: string[]
let answers: Record<string, Partial<NetworkAnswer> | Error>

beforeEach(() => {
  paths = []
  answers = { '/genesis': { body: Buffer.from(GENESIS) } }
  for (const [path, result] of Object.entries(found))
    answers[path] = { body: jsonBody({ op: 'REPLY', result }) }
})

const proxyAt = (url: string): LedgerProxy => {
  const network = new ScriptedNetwork(({ url: asked }) => {
    const path = asked.slice('https://ledger.example/vdr'.length)
    paths.push(path)
    return answers[path] ?? { status: 404 }
  })
  return new LedgerProxy({ questions: new Questions(network, overHttps), url, genesis: GENESIS })
}
const proxy = (): LedgerProxy => proxyAt('https://ledger.example/vdr/')

describe('the proxy of the ledger', () => {
  it.each([schema, definition, nym, transaction])('answers $type as the nodes do', async (operation) => {
    expect(await proxy().answer(asking(operation))).toMatchObject({
      op: 'REPLY',
      result: { type: operation.type },
    })
  })

  it('shows once that it is of the same ledger, which may have grown', async () => {
    answers['/genesis'] = { body: Buffer.from(`${GENESIS}{"txn":3}\n`) }
    const grown = proxy()
    await grown.answer(asking(nym))
    await grown.answer(asking(schema))
    expect(paths.filter((path) => path === '/genesis')).toHaveLength(1)
  })

  it('is not believed with another genesis file, until it has the right one', async () => {
    answers['/genesis'] = { body: Buffer.from('{"txn":1}\n{"txn":3}\n') }
    const other = proxy()
    await expect(other.answer(asking(nym))).rejects.toThrow('another ledger')
    expect(paths).toEqual(['/genesis'])
    answers['/genesis'] = { body: Buffer.from(GENESIS) }
    expect(await other.answer(asking(nym))).toMatchObject({ op: 'REPLY' })
  })

  it('is asked over https alone, and leads to no other address', async () => {
    await expect(proxyAt('http://ledger.example/vdr').answer(asking(nym))).rejects.toMatchObject({
      code: 'address_refused',
    })
    expect(paths).toEqual([])
    answers[`/nym/${DID}`] = { status: 307 }
    await expect(proxy().answer(asking(nym))).rejects.toMatchObject({ code: 'redirect_refused' })
  })

  it.each([
    ['of another object', schema, { ...schema, data: { name: 'other', version: '1.0', attr_names: [] } }],
    ['of another author', schema, { ...schema, dest: 'other', data: { ...schema.data, attr_names: [] } }],
    ['of another definition', definition, { ...definition, tag: 'other', data: { primary: {} } }],
    ['of another identifier', nym, { ...nym, data: JSON.stringify({ dest: 'other', verkey: 'x' }) }],
    ['of another transaction', transaction, { ...transaction, data: { txnMetadata: { seqNo: 5 } } }],
    ['of another kind', nym, { ...nym, type: '107' }],
  ])('is not believed when it speaks %s', async (_, operation, result) => {
    for (const path of Object.keys(found)) answers[path] = { body: jsonBody({ op: 'REPLY', result }) }
    await expect(proxy().answer(asking(operation))).rejects.toThrow('something else')
  })

  it('is not believed when it is a page, refuses, or does not answer', async () => {
    answers[`/nym/${DID}`] = { body: Buffer.from('<html>') }
    await expect(proxy().answer(asking(nym))).rejects.toThrow('something else')
    answers[`/nym/${DID}`] = { status: 429 }
    await expect(proxy().answer(asking(nym))).rejects.toThrow('429')
    answers[`/nym/${DID}`] = new Error('ECONNREFUSED')
    await expect(proxy().answer(asking(nym))).rejects.toThrow('did not answer')
  })

  it('is not asked what it does not answer', async () => {
    await expect(proxy().answer(asking({ type: '1', dest: DID }))).rejects.toThrow('does not answer this')
    expect(paths).toEqual([])
  })
})
