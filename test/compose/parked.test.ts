import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { FORGET_AFTER_MS, openOn, overwrite, receiver, takeKeyAway } from './parked-world.ts'

const [mine, neighbour] = ['ten_2faaaaaaaa', 'ten_2fbbbbbbbb'] as const
const BROKEN = 'con_2fbroken00'
const NEIGHBOURS = ['con_2fbefore00', 'con_2fafter000', 'con_2flater000'] as const
const [before, after, later] = NEIGHBOURS
const limits = { timeout: 30_000 }

const inbox = await receiver()
afterAll(() => inbox.close())

/** Before anything follows the log, records of two organisations of one shard. */
const recorded = async () => {
  const folder = temporaryFolder('parked')
  const first = await openOn(folder, false)
  await first.setEndpoint(mine, `${inbox.url}/mine`)
  await first.setEndpoint(neighbour, `${inbox.url}/neighbour`)
  await first.connect(before, neighbour)
  await first.connect(BROKEN, mine)
  await first.connect(after, neighbour)
  await first.stop()
  return folder
}

const DAMAGE = ['"invitationId":"inv_2fbroken00"', '"inVITAtionId":"inv_2fbroken00"'] as const

it('the lists and webhooks of neighbours go on beside a record that cannot be read, and lose nothing', async () => {
  const folder = await recorded()
  expect(overwrite(folder, ...DAMAGE)).toBeGreaterThan(0)
  const service = await openOn(folder, true)
  await service.connect(later, neighbour)
  await expect.poll(() => service.listed(neighbour), limits).toBe(3)
  for (const each of NEIGHBOURS) await expect.poll(() => inbox.toldOf(each), limits).toEqual([1, 2, 3])
  const parts = () => service.logged.filter(([name]) => name === 'record.parked')
  expect(parts().map(([, { part, actor, shard }]) => [part, actor, shard])).toEqual(
    expect.arrayContaining([
      ['lists', BROKEN, 0x2f],
      ['events', BROKEN, 0x2f],
    ]),
  )
  expect(parts()).toHaveLength(2)
  expect(await service.metrics()).toContain('vouchsafe_records_parked{part="events"} 1')
  // The log goes on and lets its first segment go, with what could not be read in it.
  for (let each = 1_000; (await service.journal.firstKeptNo(0x2f)) === 0; each++)
    await service.connect(`con_2fmore${each}`, 'ten_2fcccccccc')
  await service.stop()

  // What was parked is known to the next owner, and is whole again when its bytes are.
  overwrite(folder, DAMAGE[1], DAMAGE[0])
  const mended = await openOn(folder, true)
  const parked = await mended.parked(0x2f)
  expect(parked.map(({ part, recordId, error }) => [part, recordId, error])).toEqual(
    expect.arrayContaining([
      ['lists', BROKEN, 'ActorFailed: Error'],
      ['events', BROKEN, 'CodecError'],
    ]),
  )
  expect([await mended.listed(mine), inbox.toldOf(BROKEN)]).toEqual([0, []])
  for (const { id } of parked) await mended.retry(0x2f, id)
  await expect.poll(() => mended.listed(mine), limits).toBe(1)
  await expect.poll(() => inbox.toldOf(BROKEN), limits).toEqual([1, 2, 3])
  await expect.poll(() => mended.parked(0x2f), limits).toEqual([])
  await mended.stop()
}, 240_000)

it('the lists of neighbours go on beside a record whose key is not there, also after a retry', async () => {
  const folder = await recorded()
  const putBack = takeKeyAway(folder, BROKEN)
  const service = await openOn(folder, true)
  await service.connect(later, neighbour)
  await expect.poll(() => service.listed(neighbour), limits).toBe(3)
  const parked = await service.parked(0x2f)
  expect(parked.map(({ part, recordId, error }) => [part, recordId, error])).toEqual([
    ['lists', BROKEN, 'AskFailed: KeyUnknown'],
  ])
  const id = parked[0]?.id ?? ''
  await service.retry(0x2f, id)
  await service.connect('con_2fretried0', neighbour)
  await expect.poll(() => service.listed(neighbour), limits).toBe(4)
  expect(await service.parked(0x2f)).toMatchObject([{ recordId: BROKEN, attempts: 2, isRetryAsked: false }])
  await service.stop()

  putBack()
  const mended = await openOn(folder, true)
  expect(await mended.listed(mine)).toBe(0)
  await mended.retry(0x2f, id)
  await expect.poll(() => mended.listed(mine), limits).toBe(1)
  await expect.poll(() => mended.parked(0x2f), limits).toEqual([])
  await mended.stop()
}, 240_000)

it('an endpoint that cannot be read holds the events of its organisation alone, until a retry', async () => {
  const [healthy, broken] = ['"eventTypes":null', '"evENTTypes":null']
  const folder = temporaryFolder('parked')
  const first = await openOn(folder, false)
  await first.setEndpoint(mine, `${inbox.url}/broken`)
  await first.connect('con_2fheld0000', mine)
  await first.stop()
  expect(overwrite(folder, healthy, broken)).toBeGreaterThan(0)

  const service = await openOn(folder, true)
  await service.setEndpoint(neighbour, `${inbox.url}/neighbour`)
  await service.connect('con_2fbeside00', neighbour)
  await service.connect('con_31held0000', mine)
  // It is over, and would be folded soon.
  for (const id of ['con_31over0000', 'con_2fover0000']) await service.connect(id, mine, false)
  await service.connect('con_31beside00', neighbour, false)
  await expect.poll(() => inbox.toldOf('con_2fbeside00'), limits).toEqual([1, 2, 3])
  await expect.poll(async () => (await service.parked(0x2f))[0]?.held.length, limits).toBe(10)
  expect(await service.parked(0x2f)).toMatchObject([{ part: 'webhooks', recordId: 'whk_2faaaaaaaa' }])
  await expect.poll(() => service.isFolded('con_31beside00'), limits).toBe(true)
  // Each shard has its turn within this time.
  await setTimeout(FORGET_AFTER_MS + 2_000)
  for (const id of ['con_31over0000', 'con_2fover0000']) expect(service.isFolded(id)).toBe(false)
  await service.stop()

  overwrite(folder, broken, healthy)
  const mended = await openOn(folder, true)
  const id = (await mended.parked(0x2f))[0]?.id ?? ''
  await mended.retry(0x2f, id)
  for (const each of ['con_31over0000', 'con_2fover0000'])
    await expect.poll(() => inbox.toldOf(each), limits).toEqual([1, 2])
  for (const each of ['con_2fheld0000', 'con_31held0000'])
    await expect.poll(() => inbox.toldOf(each), limits).toEqual([1, 2, 3])
  await expect.poll(() => mended.parked(0x2f), limits).toEqual([])
  await mended.stop()
}, 240_000)
