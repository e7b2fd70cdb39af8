import { describe, expect, it, onTestFinished } from 'vitest'
import { openSignatures } from '../../src/compose/signatures.ts'
import { loadConfig } from '../../src/config/config.ts'
import { Lifecycle } from '../../src/lifecycle.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { inputOf, readFixture } from '../anoncreds/verifier-fixtures.ts'
import { eventually } from '../eventually.ts'
import { writtenLog } from '../telemetry/written-log.ts'

const NOWHERE = ['file:///nowhere/cl-engine.node']

const open = async (engine: string, binaries?: readonly string[]) => {
  const lifecycle = new Lifecycle()
  onTestFinished(() => lifecycle.end(() => undefined))
  const { log, logged } = writtenLog()
  const metrics = createMetrics()
  const config = loadConfig({ VOUCHSAFE_ANONCREDS_ENGINE: engine, VOUCHSAFE_CRYPTO_WORKERS: '2' })
  const anoncreds = await openSignatures({ config, log, metrics, lifecycle, ...(binaries && { binaries }) })
  return { anoncreds, logged, text: () => metrics.registry.metrics() }
}

const counted = (engine: string): string =>
  `vouchsafe_crypto_operations_total{operation="verify",engine="${engine}",result="ok"} 1`

describe('the signature engines of the service', () => {
  it('are counted by the engine that answered', async () => {
    const { anoncreds, logged, text } = await open('auto')
    expect(await anoncreds.verifyPresentation('tenant', inputOf(readFixture('honest')))).toBe(true)
    expect(await text()).toContain(counted('native'))
    expect(logged).toEqual([])
  })

  it('say once, and why, that the library stands in', async () => {
    const { anoncreds, logged, text } = await open('auto', NOWHERE)
    const fixture = inputOf(readFixture('honest'))
    for (let count = 0; count < 4; count += 1) await anoncreds.verifyPresentation('tenant', fixture)
    await eventually(() =>
      expect(logged).toEqual([['anoncreds.engine_fallback', { code: 'binary-missing' }]]),
    )
    expect(await text()).toContain(counted('library').replace(/1$/, '4'))
  })

  it.each(['native', 'compare'])('do not start as "%s" without the own one', async (engine) => {
    await expect(open(engine, NOWHERE)).rejects.toThrow(
      `VOUCHSAFE_ANONCREDS_ENGINE=${engine} needs the own engine: there is no engine binary for this platform`,
    )
  })

  it.each(['native', 'compare', 'library'])('start as "%s" where it loads', async (engine) => {
    const { anoncreds } = await open(engine)
    expect(await anoncreds.verifyPresentation('tenant', inputOf(readFixture('honest')))).toBe(true)
  })
})
