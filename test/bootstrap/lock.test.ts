import { spawnSync } from 'node:child_process'
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { withLock } from '../../bootstrap/lock.mjs'
import { temporaryFolder } from '../temporary-folder.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = temporaryFolder('vouchsafe-lock')
  path = join(folder, 'some.lock')
})

/** Takes the lock and tells how many were inside with it. */
const inside = { now: 0, most: 0, waits: 0 }
const enter = () =>
  withLock(
    path,
    async () => {
      inside.now += 1
      inside.most = Math.max(inside.most, inside.now)
      await new Promise((resolve) => setTimeout(resolve, 30))
      inside.now -= 1
    },
    () => (inside.waits += 1),
  )

describe('the lock', () => {
  it('lets one in at a time and is gone afterwards', async () => {
    Object.assign(inside, { now: 0, most: 0, waits: 0 })
    await Promise.all([enter(), enter(), enter(), enter()])
    expect(inside).toEqual({ now: 0, most: 1, waits: 3 })
    expect(existsSync(path)).toBe(false)
  })

  it('of a process that died is taken over by one of those who wait', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    writeFileSync(path, `${hostname()} ${pid} dead`)
    Object.assign(inside, { now: 0, most: 0, waits: 0 })
    await Promise.all([enter(), enter(), enter()])
    expect(inside.most).toBe(1)
  })

  it('of another machine is taken over once its holder stopped touching it', async () => {
    writeFileSync(path, 'elsewhere 1 x')
    utimesSync(path, new Date(0), new Date(0))
    Object.assign(inside, { now: 0, most: 0, waits: 0 })
    await enter()
    expect(inside.most).toBe(1)
  })

  it('is released when the work fails', async () => {
    await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(existsSync(path)).toBe(false)
  })
})
