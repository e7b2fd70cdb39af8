import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSurroundings } from '../../../tools/gate/surroundings.ts'

it('what a run leaves lying is gone with it, wherever its files were', () => {
  for (const memory of ['/dev/shm', '/nowhere']) {
    const { folder, environment, close } = openSurroundings(memory)
    expect(environment).toMatchObject({ TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') })
    writeFileSync(join(folder, 'left'), '')
    close()
    expect(existsSync(folder)).toBe(false)
  }
})

it('without room in memory the files are where those of other programs are', () => {
  const { folder, close } = openSurroundings('/nowhere')
  close()
  expect(folder.startsWith(join(tmpdir(), 'vouchsafe-tests-'))).toBe(true)
})
