import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DidCommConnectionRecord } from '@credo-ts/didcomm'
import { expect, it } from 'vitest'
// The platform comes first, because it loads the native libraries before Credo.
import { nodePlatform } from '../../../sdk/node/platform.ts'
import type { AgentSteps } from '../../../sdk/core/agent/agent-steps.ts'
import { openAgent } from '../../../sdk/core/agent/open-agent.ts'
import { storedRecords } from '../../../sdk/core/agent/record-storage.ts'
import { Listeners } from '../../../sdk/core/events.ts'
import { Credentials } from '../../../sdk/core/holder/credentials.ts'
import { overHttps } from '../../../sdk/core/network/addresses.ts'
import { Questions } from '../../../sdk/core/network/questions.ts'
import { RowStore } from '../../../sdk/core/rows/row-store.ts'
import { folderStorage } from '../../../sdk/node/folder-storage.ts'
import { keyFiles } from '../../../sdk/node/key-files.ts'
import { sodiumCryptography } from '../../../sdk/node/sodium-cryptography.ts'
import { Life, mortalStorage } from '../../e2e/mortal-platform.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** Wallets as they were stored once: each has a mediator, an organisation and the credential of a person. */
const stored = (format: number): string =>
  fileURLToPath(new URL(`../../fixtures/sdk/format-${format}/wallet.sqlite`, import.meta.url))

const opened = async (folder: string) => {
  const platform = nodePlatform()
  const rows = await RowStore.open(folderStorage(folder), keyFiles, platform.cryptography)
  const questions = new Questions(platform.network, overHttps)
  const { agent } = await openAgent(rows, platform, { indyNamespace: 'sandbox', genesis: '' }, questions)
  const credentials = new Credentials({
    rows,
    agent,
    steps: {} as AgentSteps,
    clock: { ...platform.clock, now: () => 1_800_000_000_000 },
    listeners: new Listeners(),
  })
  const seen = {
    credentials: credentials.list(),
    connections: storedRecords(rows, DidCommConnectionRecord).map(({ state }) => state),
    keys: rows.allStored('key').size,
  }
  await agent.shutdown()
  await rows.close()
  return seen
}

it('a wallet of format 1 that was stored once opens with everything in it, sealed from then on', async () => {
  const folder = temporaryFolder('vouchsafe-format')
  const file = join(folder, 'wallet.sqlite')
  cpSync(stored(1), file)
  expect(readFileSync(file).includes('credentialSubject')).toBe(true)
  const first = await opened(folder)
  expect(first.credentials).toMatchObject([
    {
      schemaName: 'person',
      schemaVersion: '1.0',
      attributes: { name: 'Ada', age: '36', expiresAt: '1900000000' },
      expired: false,
    },
  ])
  expect(first.connections).toEqual(['completed', 'completed'])
  expect(first.keys).toBe(2)
  expect(readFileSync(file).includes('credentialSubject')).toBe(false)
  expect(await opened(folder)).toEqual(first)
})

it('an upgrade that is cut off anywhere ends, with the next start, in the same wallet', async () => {
  const whole = temporaryFolder('vouchsafe-format')
  cpSync(stored(1), join(whole, 'wallet.sqlite'))
  const expected = await opened(whole)
  const cryptography = sodiumCryptography
  for (let number = 1; ; number++) {
    const folder = temporaryFolder('vouchsafe-format')
    cpSync(stored(1), join(folder, 'wallet.sqlite'))
    const life = new Life(number)
    const keys = {
      ...keyFiles,
      write: (name: string, key: Uint8Array) => life.through(() => keyFiles.write(name, key)),
    }
    await RowStore.open(mortalStorage(folderStorage(folder), life), keys, cryptography).then(
      (rows) => rows.close(),
      (error: unknown) => {
        if (!life.isOver) throw error
      },
    )
    expect([number, await opened(folder)]).toEqual([number, expected])
    if (!life.isOver) break
    // Before and after each of: the key, the rows, that the key is used.
    expect(number).toBeLessThanOrEqual(6)
  }
})

it('a wallet of format 1 that was cut off is called damaged, and stays as it is', async () => {
  const whole = readFileSync(stored(1))
  for (const part of [0.95, 0.5, 0.05]) {
    const folder = temporaryFolder('vouchsafe-format')
    const file = join(folder, 'wallet.sqlite')
    const cut = whole.subarray(0, Math.floor(whole.length * part))
    writeFileSync(file, cut)
    await expect(opened(folder)).rejects.toMatchObject({ kind: 'Internal', code: 'storage_damaged' })
    expect(readFileSync(file).equals(cut)).toBe(true)
  }
})
