import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CatalogueWorld, catalogueWorld, definitionId, orderedDefinition } from '../catalogue-world.ts'
import { credentialDefinition } from '../../../src/actors/credential-definition/rules.ts'
import { eventually } from '../../eventually.ts'

let at: CatalogueWorld
beforeEach(async () => {
  at = await catalogueWorld()
  await at.createTenant()
  await eventually(() => expect(at.written).toHaveLength(1))
})
afterEach(() => at.close())
const ref = credentialDefinition.ref(definitionId)
const read = () => at.actors.read(ref)

describe('the actor of a credential definition', () => {
  it('has keys made and publishes them; the private part is sealed in the journal', async () => {
    await at.ask(definitionId, orderedDefinition)
    await eventually(async () =>
      expect(await read()).toMatchObject({ status: 'published', ledgerId: 'D:3:CL:7:default' }),
    )
    await at.restart()
    expect(await at.actors.read(ref, { view: 'privatePart' })).toMatchObject({
      privatePart: 'private-part',
    })
    const stored = JSON.stringify(at.journal.batches)
    expect(stored).toContain('KeysGenerated')
    expect(stored).not.toContain('private-part')
  })

  it('fails when no keys can be made for it', async () => {
    at.world.badKeys = true
    await at.ask(definitionId, orderedDefinition)
    await eventually(async () =>
      expect(await read()).toMatchObject({ status: 'failed', lastError: 'no such attribute' }),
    )
  })
})
