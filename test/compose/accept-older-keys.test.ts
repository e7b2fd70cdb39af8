import { cpSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Accepted, acceptOlderKeys } from '../../src/compose/accept-older-keys.ts'
import { type DurableActors, openDurableActors } from '../../src/compose/durable-actors.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { KindTypes } from '../../src/domain/decider.ts'
import type { Ref } from '../../src/domain/references.ts'
import { engineSettings } from '../../src/persistence/engine-settings.ts'
import { openEngine } from '../../src/persistence/open-engine.ts'
import { openKeyStore, openVaultUnchecked, placeOfKeys } from '../../src/persistence/vault/open-vault.ts'
import { askById } from '../host/parts/ask-by-id.ts'
import { holder, passport, type PassportCommand } from '../integration/vault/parts/passport.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { contextOn } from './service-context.ts'

const EARLY = 'pas_00aaaaaaaa'
const ERASED = 'pas_07bbbbbbbb'
const LATE = 'pas_ffcccccccc'
const ABOVE = 'hol_01dddddddd'
const BELOW = 'pas_02eeeeeeee'
const definitions = [passport, holder]

describe('accepting an older key store', () => {
  let folder: string
  let service: (DurableActors & { readonly close: () => Promise<void> }) | null = null

  const start = async () => {
    const context = contextOn(folder)
    const close = () => context.lifecycle.end(() => undefined)
    try {
      const durable = await openDurableActors(context, () => definitions)
      service = { ...durable, close }
      return service
    } catch (error) {
      await close()
      throw error
    }
  }
  const stop = async (): Promise<void> => {
    await service?.close()
    service = null
  }
  const ask = (actor: string, command: PassportCommand): Promise<unknown> =>
    service === null
      ? Promise.reject(new Error('nothing runs'))
      : askById(service.actors, actor, command, { commandId: `${actor} ${command.type}`, tenant: null })
  const issue = (actor: string, above: string | null = null): Promise<unknown> =>
    ask(actor, { type: 'Issue', tenant: 'ten_1', holder: above, name: `name of ${actor}`, number: '1' })

  /** As the command does, on keys that are the journal's or not. */
  const accept = async (): Promise<Accepted> => {
    const config = loadConfig({ VOUCHSAFE_DATA_FOLDER: folder })
    const engine = await openEngine(engineSettings(config))
    try {
      const keys = await openKeyStore(config, null, false)
      const vault = await openVaultUnchecked(config, keys, () => 0)
      try {
        const place = placeOfKeys(config, null)
        return await acceptOlderKeys({
          journal: engine.store,
          memory: engine.keyStore,
          keys,
          vault,
          place,
          definitions,
        })
      } finally {
        await vault[Symbol.asyncDispose]()
      }
    } finally {
      await engine[Symbol.asyncDispose]()
    }
  }
  const wordsOf = async (...actors: readonly string[]): Promise<unknown> => {
    const keys = await openKeyStore(loadConfig({ VOUCHSAFE_DATA_FOLDER: folder }), null, false)
    const stored = await Promise.all(actors.map((actor) => keys.readKeys(actor)))
    await keys[Symbol.asyncDispose]()
    return stored.map((each) => (typeof each === 'string' ? each : each.length))
  }

  beforeEach(async () => {
    folder = temporaryFolder('accept-older')
    const { vault } = await start()
    await vault.makeTenant('ten_1')
    await issue(EARLY)
    await issue(ERASED)
    await issue(ABOVE)
    await stop()
    cpSync(join(folder, 'vault'), `${folder}-older`, { recursive: true })
    await start()
    await issue(LATE)
    await issue(BELOW, ABOVE)
    await ask(ERASED, { type: 'Erase' })
    await ask(ABOVE, { type: 'Erase' })
    await stop()
    renameSync(join(folder, 'vault'), `${folder}-newest`)
    cpSync(`${folder}-older`, join(folder, 'vault'), { recursive: true })
  })
  afterEach(stop)

  it('erases again what was erased since, and says which records are lost', async () => {
    await expect(start()).rejects.toThrow('vouchsafe vault accept-older')
    expect(await wordsOf(EARLY, ERASED, ABOVE, LATE)).toEqual([1, 1, 1, 0])
    expect(await accept()).toEqual({ erasedAgain: 2, lost: [BELOW, LATE] })
    expect(await wordsOf(EARLY, ERASED, ABOVE, LATE, BELOW)).toEqual([1, 'erased', 'erased', 'lost', 'lost'])

    const { actors } = await start()
    const nameOf = async (actor: string) => await actors.read(actor as Ref<KindTypes>)
    expect(await nameOf(EARLY)).toMatchObject({ status: 'issued', name: `name of ${EARLY}` })
    expect(await nameOf(ERASED)).toMatchObject({ status: 'erased', name: null })
    expect(await nameOf(LATE)).toMatchObject({ status: 'issued', name: null })
    await expect(ask(LATE, { type: 'Note', note: 'x' })).rejects.toMatchObject({ name: 'KeyLost' })
    await issue('pas_03ffffffff')
    await stop()
    expect(await wordsOf(LATE)).toEqual(['lost'])
  })

  it('has the same end when it is run twice, and parts the ways of the two key stores', async () => {
    await accept()
    expect(await accept()).toEqual({ erasedAgain: 0, lost: [] })
    rmSync(join(folder, 'vault'), { recursive: true })
    renameSync(`${folder}-newest`, join(folder, 'vault'))
    await expect(start()).rejects.toThrow('is older than the journal')
  })

  it('takes none that is missing or another’s', async () => {
    rmSync(join(folder, 'vault'), { recursive: true })
    await expect(accept()).rejects.toThrow('is missing')
    const other = temporaryFolder('accept-other')
    const ours = folder
    folder = other
    cpSync(join(ours, 'vault.key'), join(other, 'vault.key'))
    await start()
    await stop()
    folder = ours
    cpSync(join(other, 'vault'), join(ours, 'vault'), { recursive: true })
    await expect(accept()).rejects.toThrow('belongs to another journal')
  })
})
