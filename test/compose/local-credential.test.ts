import { chmodSync, closeSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  newLocalToken,
  readLocalCredential,
  showsToken,
  writeLocalCredential,
} from '../../src/compose/local-credential.ts'
import { temporaryFolder } from '../temporary-folder.ts'

describe('the local credential', () => {
  it('is readable by the owner of the folder alone', () => {
    const folder = temporaryFolder('local-credential')
    expect(readLocalCredential(folder)).toBeNull()
    const access = { url: 'http://127.0.0.1:1', token: newLocalToken() }
    writeLocalCredential(folder, access)
    expect(readLocalCredential(folder)).toEqual(access)
    expect(statSync(join(folder, 'operator-token')).mode & 0o777).toBe(0o600)
  })

  it('never stands in a file that others could open before', () => {
    const folder = temporaryFolder('local-credential')
    const file = join(folder, 'operator-token')
    for (const left of [file, `${file}.new`]) {
      writeFileSync(left, 'before')
      chmodSync(left, 0o644)
    }
    const held = openSync(file, 'r')
    writeLocalCredential(folder, { url: 'http://127.0.0.1:1', token: 'new' })
    expect(readFileSync(held, 'utf8')).toBe('before')
    closeSync(held)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readLocalCredential(folder)?.token).toBe('new')
    expect(readdirSync(folder)).toEqual(['operator-token'])
  })

  it('is one token and no other', () => {
    const shown = ['Bearer a', 'Bearer b', 'a', ''].map((authorization) => showsToken(authorization, 'a'))
    expect(shown).toEqual([true, false, false, false])
  })
})
