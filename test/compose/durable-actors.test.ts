import { askById } from '../host/parts/ask-by-id.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { type DurableActors, openDurableActors } from '../../src/compose/durable-actors.ts'
import { type AccountReply, accountDefinition } from '../host/parts/account.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { contextOn } from './service-context.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const newFolder = (): string => temporaryFolder('durable-actors')

const open = async (folder: string): Promise<DurableActors & { readonly close: () => Promise<void> }> => {
  const context = contextOn(folder)
  const definition = accountDefinition({ keyParent: () => ({ tenant: 'ten_1', connection: null }) })
  const close = () => context.lifecycle.end(() => undefined)
  closing.push(close)
  const durable = await openDurableActors(context, () => [definition])
  await durable.vault.makeTenant('ten_1')
  return { ...durable, close }
}
const ask = (
  durable: DurableActors,
  actor: string,
  command: unknown,
  commandId: string,
): Promise<AccountReply> =>
  askById<AccountReply>(durable.actors, actor, command, { commandId, timeoutMs: 10_000, tenant: 'ten_1' })

describe('the durable actors of the service', () => {
  it('serves every shard of an empty folder, and keeps what was answered over a restart', async () => {
    const folder = newFolder()
    const durable = await open(folder)
    await durable.probe()
    const actors = [0, 7, 255].map((shard) => `acc_${shard.toString(16).padStart(2, '0')}aaaaaaaa`)
    for (const actor of actors) await ask(durable, actor, { type: 'Deposit', amount: 5 }, `first ${actor}`)
    await durable.close()
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
    const durable = await open(folder)
    await ask(durable, 'acc_00aaaaaaaa', { type: 'Deposit', amount: 5 }, 'deposit')
    const sealed = (await durable.vault.open('acc_00aaaaaaaa')).seal('plain', 'context')
    expect((await durable.vault.open('acc_00aaaaaaaa')).open(sealed, 'context')).toBe('plain')
    await ask(durable, 'acc_00aaaaaaaa', { type: 'Erase' }, 'erase')
    expect((await durable.vault.open('acc_00aaaaaaaa')).open(sealed, 'context')).toBeNull()
  })

  it('is not opened twice over one folder', async () => {
    const folder = newFolder()
    await open(folder)
    await expect(open(folder)).rejects.toThrow('already running')
  })
})
