import { describe, expect, it } from 'vitest'
import { loadsEngine, loadsNative, nativeChecks } from '../../../src/cli/doctor/natives.ts'
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

describe('the own signature engine', () => {
  const choosing = (engine: string) => loadConfig({ VOUCHSAFE_ANONCREDS_ENGINE: engine })
  const missing = loadsEngine({
    name: 'own engine',
    package: new URL('../../../src/anoncreds/native-binary.ts', import.meta.url).href,
    version: "it.loadNative([new URL('file:///nowhere/cl-engine.node')]).status()",
  })

  it('is fine where it loads, and nothing to check where libanoncreds is configured', async () => {
    const check = nativeChecks.find(({ name }) => name === 'own engine')
    expect(await check?.run(choosing('native'))).toMatchObject({ ok: true })
    expect(check?.applies(choosing('library'))).toBe(false)
  })

  it.each(['native', 'compare'])('is broken where "%s" needs it and it is not there', async (engine) => {
    expect(await missing.run(choosing(engine))).toMatchObject({
      ok: false,
      detail: 'does not load: binary-missing',
    })
  })

  it('may be absent where libanoncreds stands in', async () => {
    expect(await missing.run(choosing('auto'))).toEqual({
      ok: true,
      detail: 'does not load: binary-missing; libanoncreds signs in its place',
    })
  })

  it('that crashes is broken everywhere', async () => {
    const crash = loadsEngine({
      name: 'crash',
      package: 'node:fs',
      version: "process.kill(process.pid, 'SIGSEGV')",
    })
    expect(await crash.run(choosing('auto'))).toMatchObject({ ok: false })
  })
})
