import { describe, expect, it } from 'vitest'
import { type SchemaCommand, schemaDecider, schemaProblem } from '../../../src/actors/schema/rules.ts'
import { runDecider } from '../../domain/run-decider.ts'

const order = {
  type: 'PublishSchema',
  atMs: 1,
  tenant: 'ten_00aaaaaaaa',
  name: 'person',
  version: '1.0',
  attributes: ['name', 'expiresAt'],
} as const satisfies SchemaCommand
const published: SchemaCommand = {
  type: 'RecordSchemaPublished',
  atMs: 2,
  ledgerId: 'd:2:person:1.0',
  seqNo: 7,
}
const refused: SchemaCommand = { type: 'RecordSchemaRefused', atMs: 2, reason: 'no' }
const run = (...commands: SchemaCommand[]) => runDecider(schemaDecider, commands)

describe('a schema', () => {
  it('owes its publication until the ledger took or refused it', () => {
    const owed = (...commands: SchemaCommand[]) => schemaDecider.owed?.(run(...commands).state)
    expect(owed(order)).toMatchObject([{ kind: 'publish-schema', schema: { name: 'person' } }])
    expect(owed(order, published)).toEqual([])
    expect(owed(order, refused)).toEqual([])
  })

  it('is published or failed, and stays so', () => {
    expect(run(order, published, refused).state).toMatchObject({
      status: 'published',
      seqNo: 7,
      lastError: null,
    })
    expect(run(order, refused, published).state).toMatchObject({ status: 'failed', lastError: 'no' })
  })

  it('means one list of attributes, whatever their order', () => {
    const other: SchemaCommand = { ...order, attributes: ['age', 'expiresAt'] }
    const turned: SchemaCommand = { ...order, attributes: ['expiresAt', 'name'] }
    expect(run(order, other).replies[1]).toMatchObject({ refused: 'already_published' })
    expect(run(order, turned).replies[1]).toMatchObject({ status: 'pending' })
  })

  it.each([
    ['name', { name: '' }],
    ['version', { version: 'one' }],
    ['attributes', { attributes: [] }],
    ['attributes', { attributes: ['a', 'A', 'expiresAt'] }],
    ['attributes', { attributes: ['name'] }],
    ['attributes', { attributes: ['x'.repeat(101), 'expiresAt'] }],
  ])('is refused with a sentence about %s: %j', (field, wrong) => {
    expect(schemaProblem({ ...order, ...wrong })).toMatch(new RegExp(`^${field} `))
    expect(run({ ...order, ...wrong }).replies[0]).toMatchObject({ refused: 'invalid_request' })
  })
})
