import { describe, expect, it } from 'vitest'
import { DidAnswers } from '../../src/ledger/did-answers.ts'
import { type LedgerQuestion, LedgerRefused } from '../../src/ports/ledger.ts'

const DID = 'V4SGRU86Z58d6TV7PBUe6f'
const ROOT = `did:indy:sandbox:${DID}`
const REQUEST_ID = '1764262000000000001'

const answering = (results: Readonly<Record<string, unknown>>) => {
  const asked: LedgerQuestion[] = []
  const answer = async (question: LedgerQuestion) => {
    asked.push(question)
    const result = JSON.stringify(results[question.kind] ?? { data: null })
    return {
      text: `{"op":"REPLY","result":${result.replace('"reqId":0', `"reqId":${REQUEST_ID}`)}}`,
      cacheSeconds: question.kind === 'attribute' ? 5 : 60,
    }
  }
  return { asked, dids: new DidAnswers({ answer, namespace: 'sandbox' }) }
}

const nym = { reqId: 0, seqNo: 7, data: JSON.stringify({ dest: DID, verkey: 'key', version: 1 }) }

describe('what a DID stands for', () => {
  it('is its document, with what the nodes said digit for digit', async () => {
    const endpoint = { data: JSON.stringify({ endpoint: { endpoint: 'https://agents.example' } }) }
    const { asked, dids } = answering({ nym, attribute: endpoint })
    const found = await dids.answer(ROOT)
    expect(asked).toEqual([
      { kind: 'nym', did: DID },
      { kind: 'attribute', did: DID, name: 'endpoint' },
    ])
    expect(found?.cacheSeconds).toBe(5)
    expect(found?.text).toContain(`"reqId":${REQUEST_ID}`)
    expect(JSON.parse(found?.text ?? '')).toMatchObject({
      didResolutionMetadata: null,
      didDocument: { id: ROOT, service: [{ serviceEndpoint: 'https://agents.example' }] },
      didDocumentMetadata: {
        nodeResponse: { op: 'REPLY', result: { seqNo: 7 } },
        objectType: 'NYM',
        selfCertificationVersion: 1,
      },
    })
  })

  it('is asked for without the endpoint where its owner wrote the document', async () => {
    const data = JSON.stringify({ dest: DID, verkey: 'key', diddocContent: '{"service":[]}' })
    const { asked, dids } = answering({ nym: { data } })
    const found = JSON.parse((await dids.answer(ROOT))?.text ?? '') as unknown
    expect(found).toMatchObject({
      didDocument: { service: [] },
      didDocumentMetadata: { selfCertificationVersion: null },
    })
    expect(asked).toHaveLength(1)
  })

  it.each(['"https://agents.example"', '["https://agents.example"]', '7', 'null'])(
    'is its document without services where its owner wrote no endpoints: %s',
    async (endpoint) => {
      const { dids } = answering({ nym, attribute: { data: `{"endpoint":${endpoint}}` } })
      const found = JSON.parse((await dids.answer(ROOT))?.text ?? '') as { readonly didDocument: object }
      expect(Object.keys(found.didDocument)).toEqual(['id', 'verificationMethod', 'authentication'])
    },
  )

  it('is nothing where the ledger has an identifier without a key', async () => {
    const { dids } = answering({ nym: { data: JSON.stringify({ dest: DID, verkey: null }) } })
    expect(await dids.answer(ROOT)).toBeNull()
  })

  it('is an object, where the DID URL names one', async () => {
    const { asked, dids } = answering({
      schema: { seqNo: 4, data: { name: 'my degree' } },
      definition: { seqNo: 5, data: { primary: {} } },
    })
    expect(JSON.parse((await dids.answer(`${ROOT}/anoncreds/v0/SCHEMA/my degree/1.0`))?.text ?? '')).toEqual({
      dereferencingMetadata: null,
      contentStream: { name: 'my degree' },
      contentMetadata: {
        nodeResponse: { op: 'REPLY', result: { seqNo: 4, data: { name: 'my degree' } } },
        objectType: 'SCHEMA',
      },
    })
    expect(
      JSON.parse((await dids.answer(`${ROOT}/anoncreds/v0/CLAIM_DEF/4/default`))?.text ?? ''),
    ).toMatchObject({ contentStream: { primary: {} }, contentMetadata: { objectType: 'CRED_DEF' } })
    expect(asked).toEqual([
      { kind: 'schema', id: `${DID}:2:my degree:1.0` },
      { kind: 'definition', id: `${DID}:3:CL:4:default` },
    ])
  })

  it('is nothing where the ledger has nothing', async () => {
    const { dids } = answering({ schema: { seqNo: null, data: { name: 'none', version: '1.0' } } })
    for (const name of [ROOT, `${ROOT}/anoncreds/v0/SCHEMA/none/1.0`, `${ROOT}/anoncreds/v0/CLAIM_DEF/4/x`])
      expect([name, await dids.answer(name)]).toEqual([name, null])
  })

  it.each([
    DID,
    `did:sov:${DID}`,
    `did:indy:other:${DID}`,
    `did:indy:sandbox:other:${DID}`,
    'did:indy:sandbox:nobody',
    `${ROOT}/`,
    `${ROOT}/anoncreds/v1/SCHEMA/my degree/1.0`,
    `${ROOT}/anoncreds/v0/SCHEMA/my degree`,
    `${ROOT}/anoncreds/v0/CLAIM_DEF/0/default`,
    `${ROOT}/anoncreds/v0/CLAIM_DEF/9999999999/default`,
    `${ROOT}/anoncreds/v0/SCHEMA/a:b/1.0`,
    `${ROOT}/anoncreds/v0/REV_REG_DEF/4/x/y`,
    `${ROOT}?versionId=1`,
  ])('is refused: %s', async (name) => {
    await expect(answering({}).dids.answer(name)).rejects.toThrow(LedgerRefused)
  })
})
