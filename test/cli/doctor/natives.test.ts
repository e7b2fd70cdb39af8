import { describe, expect, it } from 'vitest'
import { loadsNative } from '../../../src/cli/doctor/natives.ts'
import { loadConfig } from '../../../src/config/config.ts'

const config = loadConfig({})

describe('a native library', () => {
  it('is fine when it loads and answers', async () => {
    const sqlite = loadsNative({
      name: 'sqlite',
      package: 'better-sqlite3',
      version: "new it.default(':memory:').prepare('select 1').pluck().get()",
    })
    expect(await sqlite.run(config)).toEqual({ ok: true, detail: '1' })
  })

  it('is broken when it is not there', async () => {
    const none = loadsNative({ name: 'none', package: 'no-such-package', version: '1' })
    expect(await none.run(config)).toMatchObject({ ok: false, detail: 'does not load: ERR_MODULE_NOT_FOUND' })
  })

  it('does not take the doctor along when it crashes', async () => {
    const crash = loadsNative({
      name: 'crash',
      package: 'node:fs',
      version: "process.kill(process.pid, 'SIGSEGV')",
    })
    expect(await crash.run(config)).toMatchObject({ ok: false, detail: 'crashes while it loads (SIGSEGV)' })
  })
})
