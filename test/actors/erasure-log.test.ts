import { expect, it } from 'vitest'
import { localErasureLogRoutes } from '../../src/actors/erasure-log.ts'
import { OPERATORS } from '../../src/domain/operators.ts'
import type { DirectoryRow } from '../../src/ports/directory.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { called } from '../compose/called-route.ts'

const row = (id: string): DirectoryRow => ({
  kind: 'tenant',
  id,
  tenant: OPERATORS,
  createdAtMs: 1,
  updatedAtMs: 1,
  state: 'active',
  filters: {},
  externalId: null,
  searchText: '',
})

it('organisations and erasures are exported from complete lists alone', async () => {
  const rows: DirectoryRow[] = []
  const complete = Promise.withResolvers<void>()
  const directory = { list: async () => ({ rows, total: rows.length }) }
  const routes = localErasureLogRoutes(
    { directory, runtime: { ...createRuntime(), sleep: async () => undefined } },
    () => complete.promise,
  )
  const ask = (route: string) =>
    called(routes, route, {
      params: { id: 'ten_00aaaaaaaa' },
      query: {},
      head: { path: '/', query: '' },
    } as never)
  for (const route of ['exportTenants', 'exportErasures'])
    expect(await ask(route), route).toMatchObject({ problem: 'unavailable' })
  rows.push(row('ten_00aaaaaaaa'))
  complete.resolve()
  expect(await ask('exportTenants')).toMatchObject({ items: [{ id: 'ten_00aaaaaaaa' }], total: 1 })
})
