import { expect, it } from 'vitest'
import { openForInspection } from '../../src/persistence/open-engine.ts'
import { openEngine } from '../../src/persistence/open-engine.ts'
import { openSlot } from '../contract/journal/parts/slots.ts'
import { temporaryFolder } from '../temporary-folder.ts'

it('a journal is looked at while a service runs on it, and not made by looking', async () => {
  const dataFolder = temporaryFolder('inspect')
  await expect(openForInspection({ engine: 'sqlite', dataFolder })).rejects.toThrow('There is no journal')
  await using engine = await openEngine({ engine: 'sqlite', dataFolder })
  await engine.store.append(openSlot(1, 0, 1))
  await using reads = await openForInspection({ engine: 'sqlite', dataFolder })
  expect(await reads.readLog(1, 0, 9)).toHaveLength(1)
})
