import { expect, it } from 'vitest'
import { offerJob } from '../../../src/actors/credential-offer-job/rules.ts'
import { mailbox } from '../../../src/actors/mailbox/state.ts'
import { mediatedKey } from '../../../src/actors/mediated-key/rules.ts'
import { deleteRecords } from '../../../src/actors/tenant/deletion.ts'
import { refuse } from '../../../src/domain/decider.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'
import { givenPorts } from '../given-ports.ts'

const tenant = 'ten_00aaaaaaaa'
const [own, foreign, removedBefore] = [1, 2, 3].map((n) => mailbox.newRef(0, `mailbox00${n}`))
const claims = new Map(
  [own, foreign, removedBefore].map((of, index) => [String(mediatedKey.newRef(0, `mediated0${index}`)), of]),
)

it('an organisation that is deleted takes its mailboxes along with their keys; its id is read and not what waits in them', async () => {
  const views: unknown[] = []
  const removed: string[] = []
  const nothing = async () => undefined
  const ports = givenPorts({
    runtime: testRuntime(),
    deletion: { recordsPerSecond: 1_000 },
    removals: { remove: async (id: string) => void removed.push(id) },
    vault: { eraseTenant: nothing, cleaned: nothing } as never,
    recordsOfTenant: {
      caughtUp: nothing,
      listsOf: async () => [],
      listed: async () => [],
      recordsOf: async () => [],
      unlist: nothing,
      everyActor: async function* () {
        yield* [...claims.keys(), own ?? '', foreign ?? '']
      },
    },
    actors: actorsThat({
      read: async (ref: string, { view }: { readonly view?: string } = {}) => {
        if (claims.has(ref)) return { mailbox: claims.get(ref) }
        if (mailbox.find(ref) === null || ref === removedBefore) return refuse('not_found', 'There is none.')
        views.push(view)
        return { tenant: ref === own ? tenant : 'ten_00bbbbbbbb' }
      },
    }),
  })
  const { signal } = new AbortController()
  expect(await deleteRecords(ports, { actor: tenant, signal })).toMatchObject({ type: 'RecordDeleted' })
  expect(new Set(views)).toEqual(new Set(['owner']))
  const [ownKey, , orphan] = claims.keys()
  const isKind = (id: string): boolean => mailbox.find(id) !== null || mediatedKey.find(id) !== null
  expect(new Set(removed.filter(isKind))).toEqual(new Set([own, ownKey, orphan]))
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
    vault: { eraseTenant: nothing, cleaned: nothing } as never,
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

it('an organisation that is deleted takes along the jobs of offers whose requests were cut off, which no list has', async () => {
  const [ours, theirs] = [offerJob.newRef(0, 'offerjob1'), offerJob.newRef(0, 'offerjob2')]
  const removed: string[] = []
  const nothing = async () => undefined
  const ports = givenPorts({
    runtime: testRuntime(),
    deletion: { recordsPerSecond: 1_000 },
    removals: { remove: async (id: string) => void removed.push(id) },
    vault: { eraseTenant: nothing, cleaned: nothing } as never,
    recordsOfTenant: {
      caughtUp: nothing,
      listsOf: async () => [],
      listed: async () => [],
      recordsOf: async () => [],
      unlist: nothing,
      everyActor: async function* () {
        yield* [ours, theirs]
      },
    },
    actors: actorsThat({
      read: async (ref: string) =>
        offerJob.find(ref) === null
          ? refuse('not_found', 'There is none.')
          : { tenant: ref === ours ? tenant : 'ten_00bbbbbbbb', status: 'receiving' },
    }),
  })
  await deleteRecords(ports, { actor: tenant, signal: new AbortController().signal })
  expect(removed.filter((id) => offerJob.find(id) !== null)).toEqual([ours])
})

it('an organisation is not said to be deleted while a key of it may stand in what the key store has written ahead', async () => {
  const nothing = async () => undefined
  const ports = givenPorts({
    runtime: testRuntime(),
    deletion: { recordsPerSecond: 1_000 },
    removals: { remove: nothing },
    vault: { eraseTenant: nothing, cleaned: () => Promise.reject(new Error('somebody reads it')) } as never,
    recordsOfTenant: {
      caughtUp: nothing,
      listsOf: async () => [],
      listed: async () => [],
      recordsOf: async () => [],
      unlist: nothing,
      everyActor: async function* () {},
    },
    actors: actorsThat({ read: async () => refuse('not_found', 'There is none.') }),
  })
  const { signal } = new AbortController()
  await expect(deleteRecords(ports, { actor: tenant, signal })).rejects.toThrow('somebody reads it')
})
