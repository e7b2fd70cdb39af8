import { askById } from '../host/parts/ask-by-id.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { type Heart, openHeart } from '../../src/compose/actor-runtime.ts'
import { silentLog } from '../../src/telemetry/logger.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { type AccountReply, accountDefinition } from '../host/parts/account.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const newFolder = (): string => {
  const folder = temporaryFolder('heart')
  return folder
}

const open = async (folder: string): Promise<Heart> => {
  const metrics = createMetrics()
  const context = { config: loadConfig({ VOUCHSAFE_DATA_FOLDER: folder }), log: silentLog, metrics }
  const definition = accountDefinition({ keyParent: () => ({ tenant: 'ten_1', connection: null }) })
  const heart = await openHeart(context, () => [definition])
  closing.push(() => heart[Symbol.asyncDispose]())
  return heart
}
const ask = (heart: Heart, actor: string, command: unknown, commandId: string): Promise<AccountReply> =>
  askById<AccountReply>(heart.actors, actor, command, { commandId, timeoutMs: 10_000, tenant: 'ten_1' })

describe('the heart of the service', () => {
  it('serves every shard of an empty folder, and keeps what was answered over a restart', async () => {
    const folder = newFolder()
    const heart = await open(folder)
    await heart.probe()
    const actors = [0, 7, 255].map((shard) => `acc_${shard.toString(16).padStart(2, '0')}aaaaaaaa`)
    for (const actor of actors) await ask(heart, actor, { type: 'Deposit', amount: 5 }, `first ${actor}`)
    await heart[Symbol.asyncDispose]()
    const again = await open(folder)
    for (const actor of actors) {
      expect(await ask(again, actor, { type: 'Deposit', amount: 5 }, `first ${actor}`)).toEqual({
        is: 'done',
        balance: 5,
      })
    }
  })

  it('erases the key of a record with it', async () => {
    const folder = newFolder()
    const heart = await open(folder)
    await ask(heart, 'acc_00aaaaaaaa', { type: 'Deposit', amount: 5 }, 'deposit')
    const sealed = (await heart.vault.open('acc_00aaaaaaaa')).seal('plain', 'context')
    expect((await heart.vault.open('acc_00aaaaaaaa')).open(sealed, 'context')).toBe('plain')
    await ask(heart, 'acc_00aaaaaaaa', { type: 'Erase' }, 'erase')
    expect((await heart.vault.open('acc_00aaaaaaaa')).open(sealed, 'context')).toBeNull()
  })

  it('is not opened twice over one folder', async () => {
    const folder = newFolder()
    await open(folder)
    await expect(open(folder)).rejects.toThrow('already running')
  })
})
