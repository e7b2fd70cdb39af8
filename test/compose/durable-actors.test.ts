import { askById } from '../host/parts/ask-by-id.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { type DurableActors, openDurableActors } from '../../src/compose/durable-actors.ts'
import { type AccountReply, accountDefinition } from '../host/parts/account.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { contextOn } from './service-context.ts'
import { readAnswer, replyFrame } from '../../src/cluster/asks/answer.ts'
import { requestFrame, textOf } from '../../src/cluster/asks/request.ts'
import type { ServiceContext } from '../../src/compose/service-context.ts'
import type { LinkHandler, NodeLink } from '../../src/ports/node-link.ts'
import type { ShardMapView } from '../../src/ports/shard-map.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const newFolder = (): string => temporaryFolder('durable-actors')

const open = async (
  folder: string,
  more: Partial<ServiceContext> = {},
): Promise<DurableActors & { readonly close: () => Promise<void> }> => {
  const context = { ...contextOn(folder), ...more }
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

describe('the durable actors of a node among others', () => {
  it('answer what other nodes ask, and themselves what is served here, whatever the map says', async () => {
    const asked: string[] = []
    const answers: LinkHandler[] = []
    const link: NodeLink = {
      handle: (_, handler) => void answers.push(handler),
      request: async (node) => {
        asked.push(node)
        return replyFrame({ is: 'done', balance: 9 })
      },
      onPeer: () => () => undefined,
      peers: () => [],
    }
    const places = Array.from({ length: 256 }, () => ({ owner: 'other', desired: 'other', pinned: false }))
    const newest = { version: 1, frozen: false, places }
    const map: ShardMapView = {
      current: () => newest,
      ownerOf: () => 'other',
      refreshed: async () => newest,
      onChange: () => () => undefined,
    }
    const { isOpen, actors } = await open(newFolder(), { openNodes: async () => ({ link, map }) })
    expect(isOpen(0)).toBe(true)
    const command = { type: 'Deposit', amount: 5 }
    const frame = requestFrame(textOf(['ask', 'acc_00aaaaaaaa', command, 'one', 'ten_1']), 10_000, 1)
    const answer = await answers[0]?.(frame, 'other')
    expect(readAnswer(answer ?? Buffer.alloc(0))).toEqual({ is: 'reply', reply: { is: 'done', balance: 5 } })
    expect(await askById(actors, 'acc_00aaaaaaaa', command, { commandId: 'two', tenant: 'ten_1' })).toEqual({
      is: 'done',
      balance: 10,
    })
    expect(asked).toEqual([])
  })
})

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
