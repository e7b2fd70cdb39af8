import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readEnvironment } from '../../src/config/environment.ts'
import { temporaryFolder } from '../temporary-folder.ts'

describe('the environment', () => {
  it('wins over the .env file, which fills what is left open', () => {
    const file = join(temporaryFolder('vouchsafe-env'), '.env')
    writeFileSync(file, '# comment\nPORT=1\nVOUCHSAFE_LOG_LEVEL="warn"\n')
    expect(readEnvironment({ PORT: '2' }, file)).toEqual({ PORT: '2', VOUCHSAFE_LOG_LEVEL: 'warn' })
  })

  it('is enough without a file', () => {
    expect(readEnvironment({ PORT: '2' }, join(tmpdir(), 'no-such-file'))).toEqual({ PORT: '2' })
  })
})
