import { expect, it } from 'vitest'
import { openService } from '../../src/compose/service.ts'
import { writtenLog } from '../telemetry/written-log.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { contextOn } from './service-context.ts'

it('the service opens on an empty folder, is well, and gives the folder back', async () => {
  const folder = temporaryFolder('service')
  for (const time of ['first', 'second']) {
    const context = contextOn(folder)
    const service = await openService(context)
    expect(await context.metrics.registry.metrics()).toContain(
      '# TYPE vouchsafe_crypto_operations_total counter',
    )
    await expect(service.probe(), time).resolves.toBeUndefined()
    const failed: string[] = []
    await context.lifecycle.end((name) => void failed.push(name))
    expect(failed).toEqual([])
  }
})

it.each([
  { allowed: 'true', lines: 1 },
  { allowed: 'false', lines: 0 },
])('that private targets are allowed ($allowed) is logged at every start', async ({ allowed, lines }) => {
  const folder = temporaryFolder('private-targets')
  for (const time of ['first', 'second']) {
    const { log, logged } = writtenLog()
    const context = { ...contextOn(folder, { VOUCHSAFE_ALLOW_PRIVATE_TARGETS: allowed }), log }
    await openService(context)
    await context.lifecycle.end(() => undefined)
    const warned = logged.filter(([event]) => event === 'egress.private_targets_allowed')
    expect(warned, time).toEqual(Array.from({ length: lines }, () => ['egress.private_targets_allowed', {}]))
  }
})
