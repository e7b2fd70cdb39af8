import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { lockDataFolder } from '../../../src/persistence/sqlite/folder-lock.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const holder = fileURLToPath(new URL('parts/hold-folder.ts', import.meta.url))

describe('the data folder', () => {
  let folder: string
  beforeEach(() => {
    folder = temporaryFolder('folder-lock')
  })

  it('belongs to one process: a second is refused with one sentence', async () => {
    const first = spawn(process.execPath, [holder, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(first.stdout, 'data')
    expect(() => lockDataFolder(folder)).toThrow(
      `Another process is already running on the data folder ${folder}: stop it first.`,
    )
    first.kill('SIGKILL')
    await once(first, 'exit')
    lockDataFolder(folder)[Symbol.dispose]()
  })

  it('is refused to the same process too, until it is given back', () => {
    const lock = lockDataFolder(folder)
    expect(() => lockDataFolder(folder)).toThrow('already running')
    lock[Symbol.dispose]()
    lockDataFolder(folder)[Symbol.dispose]()
  })

  it('is made readable by its owner alone', () => {
    const inside = join(folder, 'data')
    lockDataFolder(inside)[Symbol.dispose]()
    expect(execFileSync('ls', ['-ld', inside], { encoding: 'utf8' })).toMatch(/^drwx------/)
  })
})
