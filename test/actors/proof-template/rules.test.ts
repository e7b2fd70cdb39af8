import { describe, expect, it } from 'vitest'
import {
  type TemplateCommand,
  templateDecider,
  templateProblem,
} from '../../../src/actors/proof-template/rules.ts'
import { runDecider } from '../../domain/run-decider.ts'

const create = {
  type: 'CreateProofTemplate',
  atMs: 1,
  tenant: 'ten_00aaaaaaaa',
  name: 'Entry',
  description: null,
  groups: [{ name: 'person', credentialDefinitionIds: ['d:3:CL:7:default'], attributes: ['name'] }],
  predicates: [{ group: 'person', attribute: 'born', operator: '<=', value: { yearsAgo: 18 } }],
} as const satisfies TemplateCommand
const run = (...commands: TemplateCommand[]) => runDecider(templateDecider, commands)
const [group] = create.groups
const [predicate] = create.predicates

describe('a proof template', () => {
  it('is active until it is archived', () => {
    const archive: TemplateCommand = { type: 'ArchiveProofTemplate', atMs: 2, tenant: create.tenant }
    expect(run(create, create).events).toHaveLength(1)
    expect(run(create, archive, archive).state).toMatchObject({ status: 'archived', updatedAtMs: 2 })
  })

  it.each([
    ['name', { name: ' ' }],
    ['groups', { groups: [] }],
    ['groups', { groups: [group, group] }],
    ['groups', { groups: [{ ...group, name: 'a.b' }] }],
    ['groups', { groups: [{ ...group, credentialDefinitionIds: [] }] }],
    ['groups', { groups: [{ ...group, attributes: ['a', 'a'] }] }],
    ['predicates', { predicates: [{ ...predicate, group: 'other' }] }],
    ['predicates', { predicates: [{ ...predicate, value: 2 ** 31 }] }],
    ['predicates', { predicates: [{ ...predicate, operator: '>' as const, value: 2 ** 31 - 1 }] }],
    ['predicates', { predicates: [{ ...predicate, operator: '<' as const, value: -(2 ** 31) }] }],
    ['predicates', { predicates: [{ ...predicate, value: { yearsAgo: 1.5 } }] }],
  ])('is refused with a sentence about %s: %j', (field, wrong) => {
    expect(templateProblem({ ...create, ...wrong })).toMatch(new RegExp(`^${field}\\b`))
    expect(run({ ...create, ...wrong }).replies[0]).toMatchObject({ refused: 'invalid_request' })
  })

  it('asks for no more comparisons than a message holds, what the service adds included', () => {
    const upwards = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        group: 'person',
        attribute: `number ${index}`,
        operator: '>=' as const,
        value: 1,
      }))
    const groups = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...group, name: index === 0 ? 'person' : `g${index}` }))
    expect(templateProblem({ ...create, predicates: upwards(31) })).toBeNull()
    expect(templateProblem({ ...create, predicates: upwards(32) })).toMatch(/^predicates must be fewer/)
    expect(templateProblem({ ...create, groups: groups(16), predicates: upwards(16) })).toBeNull()
    expect(templateProblem({ ...create, groups: groups(16), predicates: upwards(17) })).not.toBeNull()
  })

  it('that does not exist is not found', () => {
    expect(templateDecider.views.record({ status: 'none' })).toMatchObject({
      refused: 'proof_template_not_found',
    })
  })
})
