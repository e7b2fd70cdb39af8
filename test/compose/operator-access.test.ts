import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  isSameToken,
  newOperatorToken,
  readOperatorAccess,
  writeOperatorAccess,
} from '../../src/compose/operator-access.ts'
import { temporaryFolder } from '../temporary-folder.ts'

describe('the access of the operator', () => {
  it('is readable by the owner of the folder alone', () => {
    const folder = temporaryFolder('operator-access')
    expect(readOperatorAccess(folder)).toBeNull()
    const access = { url: 'http://127.0.0.1:1', token: newOperatorToken() }
    writeOperatorAccess(folder, access)
    expect(readOperatorAccess(folder)).toEqual(access)
    expect(statSync(join(folder, 'operator-token')).mode & 0o777).toBe(0o600)
  })

  it('is one token and no other', () => {
    expect([isSameToken('a', 'a'), isSameToken('a', 'b'), isSameToken('', 'a')]).toEqual([true, false, false])
  })
})
