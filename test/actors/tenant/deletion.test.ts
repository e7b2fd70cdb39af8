import { expect, it } from 'vitest'
import { mailbox } from '../../../src/actors/mailbox/state.ts'
import { deleteRecords } from '../../../src/actors/tenant/deletion.ts'
import { refuse } from '../../../src/domain/decider.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'
import { givenPorts } from '../given-ports.ts'

const tenant = 'ten_00aaaaaaaa'
const [own, foreign] = [mailbox.newRef(0, 'mailbox001'), mailbox.newRef(0, 'mailbox002')]

it('an organisation that is deleted takes its mailboxes along, of which its id is read and not what waits in them', async () => {
  const views: unknown[] = []
  const removed: string[] = []
  const nothing = async () => undefined
  const ports = givenPorts({
    runtime: testRuntime(),
    deletion: { recordsPerSecond: 1_000 },
    removals: { remove: async (id: string) => void removed.push(id) },
    vault: { eraseTenant: nothing } as never,
    recordsOfTenant: {
      caughtUp: nothing,
      listsOf: async () => [],
      listed: async () => [],
      recordsOf: async () => [],
      unlist: nothing,
      everyActor: async function* () {
        yield* [own, foreign]
      },
    },
    actors: actorsThat({
      read: async (ref: string, { view }: { readonly view?: string } = {}) => {
        if (mailbox.find(ref) === null) return refuse('not_found', 'There is none.')
        views.push(view)
        return { tenant: ref === own ? tenant : 'ten_00bbbbbbbb' }
      },
    }),
  })
  const { signal } = new AbortController()
  expect(await deleteRecords(ports, { actor: tenant, signal })).toMatchObject({ type: 'RecordDeleted' })
  expect(views).toEqual(['owner', 'owner'])
  expect([removed.includes(own), removed.includes(foreign)]).toEqual([true, false])
})

it('an organisation that is deleted has each of its deliveries removed once', async () => {
  const ids = ['whd_00aaaaaaaa', 'whd_00bbbbbbbb']
  const living = new Set<string>(ids)
  let rows = ids.map((id, row) => ({ id, place: row, row }))
  const removed: string[] = []
  const nothing = async () => undefined
  const ports = givenPorts({
    runtime: testRuntime(),
    deletion: { recordsPerSecond: 1_000 },
    removals: {
      remove: async (id: string) => {
        removed.push(id)
        living.delete(id)
      },
    },
    vault: { eraseTenant: nothing } as never,
    recordsOfTenant: {
      caughtUp: nothing,
      listsOf: async () => ['webhook-delivery'],
      listed: async () => [],
      recordsOf: async ({ kind }) => (kind === 'webhook-delivery' ? rows : []),
      unlist: async (gone) => {
        rows = rows.filter(({ row }) => !gone.includes(row))
      },
      everyActor: async function* () {
        yield* living
      },
    },
    actors: actorsThat({
      read: async (ref: string) => (living.has(ref) ? { tenant } : refuse('not_found', '')),
    }),
  })
  await deleteRecords(ports, { actor: tenant, signal: new AbortController().signal })
  expect(removed.filter((id) => ids.includes(id))).toEqual(ids)
  expect(rows).toEqual([])
})
