import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  createMasterKeyFile,
  newMasterKey,
  readMasterKeyFile,
  replaceMasterKeyFile,
  unsafeReason,
  wipe,
} from '../../../src/persistence/vault/master-key-file.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

describe('master key file', () => {
  let folder: string
  let file: string

  beforeEach(() => {
    folder = temporaryFolder('master-key')
    file = join(folder, 'vault.key')
  })

  it('is made readable by its owner alone, whatever the umask, and read back', () => {
    const before = process.umask(0)
    try {
      const entry = newMasterKey()
      createMasterKeyFile(file, entry)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readMasterKeyFile(file)).toEqual([entry])
    } finally {
      process.umask(before)
    }
  })

  it('is never made over an existing one', () => {
    const entry = newMasterKey()
    createMasterKeyFile(file, entry)
    expect(() => createMasterKeyFile(file, newMasterKey())).toThrow('exists already')
    expect(readMasterKeyFile(file)).toEqual([entry])
    expect(() => statSync(`${file}.new`)).toThrow('ENOENT')
  })

  it('is made although a crash left a draft behind', () => {
    writeFileSync(`${file}.new`, 'half a key', { mode: 0o644 })
    const entry = newMasterKey()
    createMasterKeyFile(file, entry)
    expect(readMasterKeyFile(file)).toEqual([entry])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('is replaced whole, and the old bytes are overwritten where they stood', () => {
    const [old, next] = [newMasterKey(), newMasterKey()]
    createMasterKeyFile(file, old)
    const sameBytes = openSync(file, 'r')
    replaceMasterKeyFile(file, [old, next])
    expect(readMasterKeyFile(file)).toEqual([old, next])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(sameBytes).every((byte) => byte === 0)).toBe(true)
    closeSync(sameBytes)
  })

  it('is not replaced while it has another name, whose bytes would be wiped with it', () => {
    const old = newMasterKey()
    createMasterKeyFile(file, old)
    const copy = join(folder, 'backup.key')
    linkSync(file, copy)
    expect(() => replaceMasterKeyFile(file, [newMasterKey()])).toThrow(
      /^The master key file .* has 2 names \(hard links\)/,
    )
    expect([file, copy].map(readMasterKeyFile)).toEqual([[old], [old]])
    expect(existsSync(`${file}.new`)).toBe(false)
    rmSync(copy)
    // A crash while the file was made leaves this name behind.
    linkSync(file, `${file}.new`)
    const next = newMasterKey()
    replaceMasterKeyFile(file, [next])
    expect(readMasterKeyFile(file)).toEqual([next])
  })

  it('is not wiped while a name leads to it, which it may have been given while it was replaced', () => {
    const old = newMasterKey()
    createMasterKeyFile(file, old)
    const copy = join(folder, 'late.key')
    const descriptor = openSync(file, 'r+')
    renameSync(file, copy)
    expect(() => wipe(file, descriptor)).toThrow(/is replaced, but its old content was given another name/)
    expect(readMasterKeyFile(copy)).toEqual([old])
    rmSync(copy)
    wipe(file, descriptor)
    const bytes = Buffer.alloc(16, 1)
    readSync(descriptor, bytes, 0, bytes.length, 0)
    expect(bytes.every((byte) => byte === 0)).toBe(true)
    closeSync(descriptor)
  })

  it('is null where there is none', () => {
    expect(readMasterKeyFile(file)).toBeNull()
  })

  it.each([0o640, 0o604, 0o660, 0o777])('is refused with mode %o', (mode) => {
    createMasterKeyFile(file, newMasterKey())
    chmodSync(file, mode)
    expect(() => readMasterKeyFile(file)).toThrow(
      /^The master key file .* can be read by others .*chmod 600 on it\.$/,
    )
  })

  it('is refused as a symbolic link, a folder or a file that is too large', () => {
    const real = join(folder, 'real')
    createMasterKeyFile(real, newMasterKey())
    symlinkSync(real, file)
    expect(() => readMasterKeyFile(file)).toThrow('is a symbolic link: name the file itself.')
    mkdirSync(join(folder, 'sub'), { mode: 0o700 })
    expect(() => readMasterKeyFile(join(folder, 'sub'))).toThrow('is not a regular file.')
    writeFileSync(real, 'x'.repeat(5_000))
    expect(() => readMasterKeyFile(real)).toThrow('has 5000 bytes')
  })

  it('may belong to another user only where root reads it', () => {
    createMasterKeyFile(file, newMasterKey())
    const stat = statSync(file)
    const foreign = { isFile: () => true, mode: stat.mode, size: stat.size, uid: stat.uid + 1_000 }
    expect(unsafeReason(stat, stat.uid)).toBeNull()
    expect(unsafeReason(foreign, 0)).toBeNull()
    expect(unsafeReason(foreign, 500)).toContain('belongs to another user')
  })

  it('is refused when it is empty, cut, or one character is wrong', () => {
    const entry = newMasterKey()
    createMasterKeyFile(file, entry)
    const text = readFileSync(file, 'utf8')
    const write = (content: string) => writeFileSync(file, content)
    for (const broken of ['', '\n', '# only a comment\n']) {
      write(broken)
      expect(() => readMasterKeyFile(file)).toThrow('has 0 keys')
    }
    write(text.slice(0, -2))
    expect(() => readMasterKeyFile(file)).toThrow('is damaged at line 2')
    write(text.replace(/.\n$/, (last) => (last[0] === 'A' ? 'E\n' : 'A\n')))
    expect(() => readMasterKeyFile(file)).toThrow('is damaged at line 2')
    write(`${text}${entry.id}\n`)
    expect(() => readMasterKeyFile(file)).toThrow('is damaged at line 3')
    write(text)
    expect(readMasterKeyFile(file)).toEqual([entry])
  })
})
