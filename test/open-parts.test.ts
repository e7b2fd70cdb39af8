import { expect, it } from 'vitest'
import { loadConfig } from '../src/config/config.ts'
import { openParts } from '../src/open-parts.ts'
import type { Part } from '../src/parts.ts'
import { silentLog } from '../src/telemetry/logger.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'
import { temporaryFolder } from './temporary-folder.ts'

it('every part of the service opens on an empty folder, is well, and gives the folder back', async () => {
  const folder = temporaryFolder('open-parts')
  const config = loadConfig({ VOUCHSAFE_DATA_FOLDER: folder })
  for (const time of ['first', 'second']) {
    const parts: Part[] = []
    const metrics = createMetrics()
    for (const open of openParts) parts.push(await open({ config, log: silentLog, metrics }))
    expect(await metrics.registry.metrics()).toContain('# TYPE vouchsafe_crypto_operations_total counter')
    for (const part of parts) await expect(part.probe(), `${part.name}, ${time}`).resolves.toBeUndefined()
    expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length)
    for (const part of parts.toReversed()) await part[Symbol.asyncDispose]()
  }
})
