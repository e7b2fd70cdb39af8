import { describe, expect, it } from 'vitest'
import {
  type DefinitionCommand,
  definitionDecider,
  tagProblem,
} from '../../../src/actors/credential-definition/rules.ts'
import { runDecider } from '../../domain/run-decider.ts'

const order: DefinitionCommand = {
  type: 'PublishDefinition',
  atMs: 1,
  tenant: 'ten_00aaaaaaaa',
  schema: {
    id: 'sch_00aaaaaaaa',
    ledgerId: 'd:2:p:1.0',
    seqNo: 7,
    name: 'p',
    version: '1.0',
    attributes: ['a'],
  },
  tag: 'default',
}
const keys: DefinitionCommand = {
  type: 'RecordKeysGenerated',
  atMs: 2,
  publicPart: 'public',
  keyCorrectnessProof: 'proof',
  privatePart: 'private',
}
const published: DefinitionCommand = {
  type: 'RecordDefinitionPublished',
  atMs: 3,
  ledgerId: 'd:3:CL:7:default',
}
const refused: DefinitionCommand = { type: 'RecordDefinitionRefused', atMs: 3, reason: 'no' }
const run = (...commands: DefinitionCommand[]) => runDecider(definitionDecider, commands)
const owed = (...commands: DefinitionCommand[]) =>
  definitionDecider.owed?.(run(...commands).state).map(({ kind }) => kind)

describe('a credential definition', () => {
  it('owes its keys first, then its publication', () => {
    expect(owed(order)).toEqual(['generate-keys'])
    expect(owed(order, keys)).toEqual(['publish-definition'])
    expect(owed(order, keys, published)).toEqual([])
    expect(owed(order, refused)).toEqual([])
  })

  it('keeps the keys that were committed first', () => {
    const { state } = run(order, keys, { ...keys, publicPart: 'others' })
    expect(state).toMatchObject({ keys: { publicPart: 'public' } })
  })

  it('cannot be published without keys', () => {
    expect(run(order, published).state).toMatchObject({ status: 'pending' })
  })

  it('shows its private part to whoever asks for that alone', () => {
    const { state, replies } = run(order, keys, published)
    const { record, privatePart } = definitionDecider.views
    expect(JSON.stringify([...replies, record(state)])).not.toContain('private"')
    expect(privatePart(state)).toEqual({ tenant: 'ten_00aaaaaaaa', privatePart: 'private' })
  })

  it('is refused for a tag that ledgers cannot name', () => {
    expect(tagProblem('default')).toBeNull()
    expect(tagProblem('a:b')).toMatch(/^tag /)
    expect(run({ ...order, tag: '' }).replies[0]).toMatchObject({
      refused: 'invalid_request',
    })
  })

  it('that does not exist is not found', () => {
    expect(run(published).replies[0]).toMatchObject({ refused: 'credential_definition_not_found' })
  })
})
