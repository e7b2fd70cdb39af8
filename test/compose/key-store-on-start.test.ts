import { hash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DurableActors, openDurableActors } from '../../src/compose/durable-actors.ts'
import { askById } from '../host/parts/ask-by-id.ts'
import { type AccountReply, accountDefinition } from '../host/parts/account.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { contextOn } from './service-context.ts'

/** Each account is an organisation of its own, so its first event makes both its keys. */
const definition = accountDefinition({ keyParent: (actor: string) => ({ tenant: actor, connection: null }) })

type Opened = DurableActors & { readonly close: () => Promise<void> }

const open = async (folder: string): Promise<Opened> => {
  const context = contextOn(folder)
  const close = () => context.lifecycle.end(() => undefined)
  try {
    return { ...(await openDurableActors(context, () => [definition])), close }
  } catch (error) {
    await close()
    throw error
  }
}

const deposit = (durable: DurableActors, actor: string, commandId: string): Promise<AccountReply> =>
  askById<AccountReply>(
    durable.actors,
    actor,
    { type: 'Deposit', amount: 5 },
    { commandId, timeoutMs: 10_000, tenant: 'ten_1' },
  )

/** Every file below a folder with the hash of its bytes. */
const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, hash('sha256', readFileSync(join(folder, name)))] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

const EARLY = 'acc_00aaaaaaaa'
const LATE = 'acc_07bbbbbbbb'

describe('a start with a key store that is not the journal’s own', () => {
  const opened: Opened[] = []
  const prepared = temporaryFolder('prepared-keys')
  const older = `${prepared}-older`
  let folder: string
  let keys: string
  let aside: string

  const start = async (at = folder): Promise<Opened> => {
    const durable = await open(at)
    opened.push(durable)
    return durable
  }
  const refusal = async (): Promise<string> => {
    const before = contentOf(folder)
    const outcome = await start().then(
      () => 'started',
      (error: Error) => error.message,
    )
    expect(contentOf(folder)).toEqual(before)
    return outcome
  }
  const expectAllThere = async (): Promise<void> => {
    const durable = await start()
    for (const actor of [EARLY, LATE]) {
      expect(await deposit(durable, actor, 'first')).toEqual({ is: 'done', balance: 5 })
      await durable.vault.open(actor)
    }
    await durable.close()
  }

  beforeAll(async () => {
    folder = prepared
    let durable = await start()
    await deposit(durable, EARLY, 'first')
    await durable.close()
    cpSync(join(folder, 'vault'), older, { recursive: true })
    durable = await start()
    await deposit(durable, LATE, 'first')
    await durable.close()
  })
  beforeEach(() => {
    folder = temporaryFolder('key-store')
    cpSync(prepared, folder, { recursive: true })
    keys = join(folder, 'vault', 'keys.sqlite')
    aside = `${folder}-aside`
  })
  afterEach(async () => {
    for (const durable of opened.splice(0)) await durable.close()
  })

  it('is refused when it was moved away, and all is there when it is back', async () => {
    renameSync(join(folder, 'vault'), aside)
    expect(await refusal()).toMatch(/^The key store .*keys\.sqlite is missing/)
    expect(existsSync(keys)).toBe(false)
    renameSync(aside, join(folder, 'vault'))
    await expectAllThere()
  })

  it('is refused when it is older than the journal', async () => {
    renameSync(join(folder, 'vault'), aside)
    cpSync(older, join(folder, 'vault'), { recursive: true })
    expect(await refusal()).toMatch(/^The key store .*keys\.sqlite is older than the journal/)
    rmSync(join(folder, 'vault'), { recursive: true })
    renameSync(aside, join(folder, 'vault'))
    await expectAllThere()
  })

  it('is refused when it belongs to another journal', async () => {
    const other = temporaryFolder('other-key-store')
    cpSync(join(folder, 'vault.key'), join(other, 'vault.key'))
    const durable = await start(other)
    for (let index = 0; index < 5; index++) await deposit(durable, `acc_0${index}cccccccc`, 'first')
    await durable.close()
    renameSync(join(folder, 'vault'), aside)
    cpSync(join(other, 'vault'), join(folder, 'vault'), { recursive: true })
    expect(await refusal()).toMatch(/^The key store .*keys\.sqlite belongs to another journal/)
    rmSync(join(folder, 'vault'), { recursive: true })
    renameSync(aside, join(folder, 'vault'))
    await expectAllThere()
  })

  it('starts with a newer one: a journal is restored beside the keys of today', async () => {
    const backup = temporaryFolder('journal-backup')
    for (const name of ['journal.db', 'vault.key']) cpSync(join(folder, name), join(backup, name))
    const durable = await start()
    await deposit(durable, 'acc_09dddddddd', 'first')
    await durable.close()
    cpSync(join(folder, 'vault'), join(backup, 'vault'), { recursive: true })
    folder = backup
    await expectAllThere()
  })
})
