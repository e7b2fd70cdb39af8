import { afterAll, describe, expect, it } from 'vitest'
import { proofTemplate } from '../../../src/actors/proof-template/rules.ts'
import { catalogueWorld, tenantId } from '../catalogue-world.ts'

const at = await catalogueWorld()
afterAll(() => at.close())

describe('the actor of a proof template', () => {
  it('keeps every kind of predicate value across a restart', async () => {
    const predicates = [5, { yearsAgo: 18 }, { secondsFromNow: 0 }].map((value) => ({
      group: 'a',
      attribute: 'x',
      operator: '>=',
      value,
    }))
    const groups = [{ name: 'a', credentialDefinitionIds: ['D:3:CL:7:default'], attributes: ['name'] }]
    const content = { tenant: tenantId, name: 'Entry', description: null, groups, predicates }
    await at.ask('tpl_00aaaaaaaa', { type: 'CreateProofTemplate', atMs: 1, ...content })
    await at.restart()
    expect(await at.actors.read(proofTemplate.ref('tpl_00aaaaaaaa'))).toMatchObject(content)
  })
})
