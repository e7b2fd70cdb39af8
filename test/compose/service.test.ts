import { expect, it } from 'vitest'
import { openService } from '../../src/compose/service.ts'
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
