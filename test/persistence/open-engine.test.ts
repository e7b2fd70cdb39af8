import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openEngine } from '../../src/persistence/open-engine.ts'
import { openSlot } from '../contract/journal/parts/slots.ts'
import { temporaryFolder } from '../temporary-folder.ts'

it('the embedded engine is a journal and bodies over one folder without leases, which it gives back when closed', async () => {
  const dataFolder = temporaryFolder('open-engine')
  const engine = await openEngine({ engine: 'sqlite', dataFolder })
  expect(engine.cassandra).toBeNull()
  expect(await engine.store.append(openSlot(1, 0, 1))).toEqual({ is: 'written' })
  await engine.bodies.put('record', 'body', 'text', Date.now() + 60_000)
  expect(engine.cluster).toBeNull()
  await expect(openEngine({ engine: 'sqlite', dataFolder })).rejects.toThrow('stop it first')
  await engine[Symbol.asyncDispose]()

  await using again = await openEngine({ engine: 'sqlite', dataFolder })
  expect(await again.store.readLog(1, 0, 9)).toHaveLength(1)
  expect(await again.bodies.get('record', 'body')).toBe('text')
})

it('an engine that cannot be opened leaves the folder to the next', async () => {
  const dataFolder = temporaryFolder('open-engine')
  mkdirSync(join(dataFolder, 'journal.db'))
  await expect(openEngine({ engine: 'sqlite', dataFolder })).rejects.toThrow('unable to open database file')
  rmSync(join(dataFolder, 'journal.db'), { recursive: true })
  await using engine = await openEngine({ engine: 'sqlite', dataFolder })
  await engine.store.probe()
})
