import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileInTarGz, zipEntries } from '../../bootstrap/archives.mjs'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = temporaryFolder('vouchsafe-archives')

const ZIP = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as z:
    z.writestr("stored.txt", "as it is", zipfile.ZIP_STORED)
    z.writestr("deep/packed.txt", "again and " * 1000, zipfile.ZIP_DEFLATED)
    z.writestr("empty/", "")
    info = zipfile.ZipInfo("bin/run"); info.external_attr = 0o755 << 16
    z.writestr(info, "#!")
`

describe('a zip', () => {
  const path = join(folder, 'some.zip')
  execFileSync('python3', ['-c', ZIP, path])

  it('gives its files, stored and packed, with their right to be run', () => {
    const entries = zipEntries(readFileSync(path))
    expect(entries.map(({ name, executable, read }) => [name, executable, read().length])).toEqual([
      ['stored.txt', false, 8],
      ['deep/packed.txt', false, 10_000],
      ['bin/run', true, 2],
    ])
    expect(entries[1]?.read().toString()).toBe('again and '.repeat(1_000))
  })

  it('is refused when it is something else', () => {
    expect(() => zipEntries(Buffer.from('<html>log in first</html>'))).toThrow('not a zip archive')
  })
})

describe('a tar.gz', () => {
  writeFileSync(join(folder, 'libsome.so'), Buffer.alloc(1_700, 7))
  writeFileSync(join(folder, 'a-note'), 'x')
  execFileSync('tar', ['czf', 'some.tar.gz', './a-note', './libsome.so'], { cwd: folder })
  const archive = readFileSync(join(folder, 'some.tar.gz'))

  it('gives the file of a name', () => {
    expect(fileInTarGz(archive, 'libsome.so')).toEqual(Buffer.alloc(1_700, 7))
  })

  it('answers null for a name it does not hold', () => {
    expect(fileInTarGz(archive, 'libother.so')).toBeNull()
  })
})
