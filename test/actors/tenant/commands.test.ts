import { expect, it } from 'vitest'
import { orderDeletion } from '../../../src/actors/tenant/commands.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'

const id = 'ten_00aaaaaaaa'
const activeTenants = { refusal: () => null, forget: () => undefined }

it.each([
  { name: 'Museum', confirms: 'Museum', not: id },
  { name: null, confirms: id, not: 'Museum' },
])('the deletion of an organisation is confirmed by its name, or its id: $name', async (each) => {
  const record = { status: 'active', name: each.name }
  const actors = actorsThat({
    read: () => record,
    ask: async () => ({ ...record, status: 'deletion_ordered' }),
  })
  const order = (name: string) => orderDeletion({ actors, runtime: createRuntime(), activeTenants }, id, name)
  expect(await order(each.not)).toMatchObject({ refused: 'invalid_request' })
  expect(await order(each.confirms)).toMatchObject({ status: 'deletion_ordered' })
})
