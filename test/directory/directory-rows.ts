import type { DirectoryRow, ListQuery } from '../../src/ports/directory.ts'

export const row = (id: string, more: Partial<DirectoryRow> = {}): DirectoryRow => ({
  kind: 'credential',
  id,
  tenant: 't1',
  createdAtMs: 1,
  updatedAtMs: 1,
  state: 'done',
  filters: {},
  externalId: null,
  searchText: '',
  ...more,
})

export const query = (more: Partial<ListQuery> = {}): ListQuery => ({
  tenant: 't1',
  kind: 'credential',
  page: 1,
  pageSize: 25,
  q: null,
  states: [],
  externalId: null,
  fromMs: null,
  toMs: null,
  filters: {},
  ...more,
})
