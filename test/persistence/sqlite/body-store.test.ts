import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { FileBodyStore } from '../../../src/persistence/sqlite/body-store.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

it('bodies that have outlived their exchange are swept away, however many, and no others', async () => {
  const folder = temporaryFolder('body-store')
  let nowMs = 0
  await using bodies = await FileBodyStore.open(folder, () => nowMs)
  const ids = Array.from({ length: 600 }, (_, index) => `body-${index}`)
  await Promise.all(ids.map((id) => bodies.put('record', id, id, 5)))
  await bodies.put('record', 'kept', 'kept', 6)
  nowMs = 5
  await bodies.sweep()
  nowMs = 0
  expect((await Promise.all(ids.map((id) => bodies.get('record', id)))).every((body) => body === null)).toBe(
    true,
  )
  expect(await bodies.get('record', 'kept')).toBe('kept')
  expect(readFileSync(join(folder, 'bodies'), 'latin1')).not.toContain('body-')
})

it('a sweep of many leaves others their turn, and one that is asked for meanwhile is the same', async () => {
  const folder = temporaryFolder('body-store')
  let nowMs = 0
  await using bodies = await FileBodyStore.open(folder, () => nowMs)
  const ids = Array.from({ length: 9_000 }, (_, index) => `body-${index}`)
  await Promise.all(ids.map((id, index) => bodies.put(`record-${index % 7}`, id, id, 5)))
  nowMs = 5
  let isOver = false
  const sweeping = bodies.sweep().finally(() => {
    isOver = true
  })
  expect(bodies.sweep()).toBe(bodies.sweep())
  await bodies.put('other', 'one', 'TEXT', 6)
  expect([await bodies.get('other', 'one'), isOver]).toEqual(['TEXT', false])
  await sweeping
  expect(readFileSync(join(folder, 'bodies'), 'latin1')).not.toContain('body-')
})

it('a deletion that was asked for before the store is closed is done', async () => {
  const folder = temporaryFolder('body-store')
  const bodies = await FileBodyStore.open(folder)
  await bodies.put('record', 'one', 'TEXT', Date.now() + 60_000)
  const deleted = bodies.keepOnly('record', [])
  await bodies[Symbol.asyncDispose]()
  await deleted
  expect(readFileSync(join(folder, 'bodies'), 'latin1')).not.toContain('TEXT')
})

it('a deletion goes with the next body that is put, in one message', async () => {
  await using bodies = await FileBodyStore.open(temporaryFolder('body-store'))
  await bodies.put('record', 'one', 'TEXT', Date.now() + 60_000)
  let isDone = false
  const deleted = bodies.delete('record', 'one').then(() => {
    isDone = true
  })
  await bodies.put('other', 'two', 'TEXT', Date.now() + 60_000)
  await setImmediate()
  expect(isDone).toBe(true)
  await deleted
})

it('a deletion that is asked for again is answered when the first is done, not before', async () => {
  const folder = temporaryFolder('body-store')
  await using bodies = await FileBodyStore.open(folder)
  await bodies.put('record', 'one', 'TEXT', Date.now() + 60_000)
  void bodies.keepOnly('record', [])
  await bodies.keepOnly('record', [])
  expect(readFileSync(join(folder, 'bodies'), 'latin1')).not.toContain('TEXT')
  await bodies.put('record', 'two', 'TEXT', Date.now() + 60_000)
  void bodies.keepOnly('record', [])
  await bodies.delete('record', 'two')
  expect(readFileSync(join(folder, 'bodies'), 'latin1')).not.toContain('TEXT')
})
