import { cpSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Accepted, acceptOlderKeys } from '../../src/compose/accept-older-keys.ts'
import { loadConfig } from '../../src/config/config.ts'
import { engineSettings } from '../../src/persistence/engine-settings.ts'
import { openEngine } from '../../src/persistence/open-engine.ts'
import type { JournalStore } from '../../src/persistence/store-port.ts'
import {
  openConfiguredVault,
  openKeyStore,
  openVaultUnchecked,
  placeOfKeys,
} from '../../src/persistence/vault/open-vault.ts'
import { holder, passport, type PassportCommand } from '../integration/vault/parts/passport.ts'
import { PassportOffice } from '../integration/vault/parts/passport-office.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const EARLY = 'pas_00aaaaaaaa'
const ERASED = 'pas_00bbbbbbbb'
const LATE = 'pas_00cccccccc'
const ABOVE = 'hol_00dddddddd'
const BELOW = 'pas_00eeeeeeee'
const definitions = [passport, holder]

/** What was done until then stays done, as after a kill. */
const stoppedAfter = (steps: number) => {
  let left = steps
  return <Of extends object>(part: Of): Of =>
    new Proxy(part, {
      get: (_, name) => {
        const value: unknown = Reflect.get(part, name, part)
        if (typeof value !== 'function') return value
        const call = value.bind(part) as (...args: unknown[]) => Promise<unknown>
        if (!['record', 'erase', 'markLost', 'setMark'].includes(String(name))) return call
        return async (...args: unknown[]) => {
          if (left-- === 0) throw new Error('stopped')
          return await call(...args)
        }
      },
    })
}

/** These actors have text that cannot be read. */
const damagedAt = (journal: JournalStore, actors: readonly string[]): JournalStore =>
  new Proxy(journal, {
    get: (_, name) => {
      const value: unknown = Reflect.get(journal, name, journal)
      if (typeof value !== 'function') return value
      if (name !== 'readActor') return value.bind(journal) as unknown
      return async (actor: string) => {
        const stored = await journal.readActor(actor)
        if (!actors.includes(actor)) return stored
        return { ...stored, events: stored.events.map((event) => ({ ...event, data: 'damaged' })) }
      }
    },
  })

describe('accepting an older key store', () => {
  let folder: string
  let service: { readonly office: PassportOffice; readonly close: () => Promise<void> } | null = null

  const config = () => loadConfig({ VOUCHSAFE_DATA_FOLDER: folder })
  const start = async (): Promise<PassportOffice> => {
    const engine = await openEngine(engineSettings(config()))
    try {
      const vault = await openConfiguredVault(config(), engine, () => performance.now())
      const office = await PassportOffice.open(engine.store, vault)
      const close = async () => {
        await office.close()
        await vault[Symbol.asyncDispose]()
        await engine[Symbol.asyncDispose]()
      }
      service = { office, close }
      return office
    } catch (error) {
      await engine[Symbol.asyncDispose]()
      throw error
    }
  }
  const stop = async (): Promise<void> => {
    await service?.close()
    service = null
  }
  const ask = (actor: string, command: PassportCommand): Promise<unknown> =>
    service === null ? Promise.reject(new Error('nothing runs')) : service.office.ask(actor, command)
  const issue = (actor: string, above: string | null = null): Promise<unknown> =>
    ask(actor, { type: 'Issue', tenant: 'ten_1', holder: above, name: `name of ${actor}`, number: '1' })

  /** As the command does, on keys that are the journal's or not; it is stopped after so many durable steps. */
  const accept = async (
    steps = Number.POSITIVE_INFINITY,
    damaged: readonly string[] = [],
  ): Promise<Accepted> => {
    const engine = await openEngine(engineSettings(config()))
    try {
      const keys = await openKeyStore(config(), null, false)
      const vault = await openVaultUnchecked(config(), keys, () => 0)
      try {
        const place = placeOfKeys(config(), null)
        const limited = stoppedAfter(steps)
        return await acceptOlderKeys({
          journal: damagedAt(engine.store, damaged),
          memory: limited(engine.keyStore),
          keys: limited(keys),
          vault: limited(vault),
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
    const keys = await openKeyStore(config(), null, false)
    const stored = await Promise.all(actors.map((actor) => keys.readKeys(actor)))
    await keys[Symbol.asyncDispose]()
    return stored.map((each) => (typeof each === 'string' ? each : each.length))
  }

  beforeEach(async () => {
    folder = temporaryFolder('accept-older')
    await start()
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
    expect(await accept()).toEqual({ erasedAgain: 2, lost: [LATE, BELOW], unreadable: [] })
    expect(await wordsOf(EARLY, ERASED, ABOVE, LATE, BELOW)).toEqual([1, 'erased', 'erased', 'lost', 'lost'])

    const office = await start()
    expect(await office.read(EARLY)).toMatchObject({ status: 'issued', name: `name of ${EARLY}` })
    expect(await office.read(ERASED)).toMatchObject({ status: 'erased', name: null })
    expect(await office.read(LATE)).toMatchObject({ status: 'issued', name: null })
    await expect(ask(LATE, { type: 'Note', note: 'x' })).rejects.toMatchObject({ name: 'KeyLost' })
    await issue('pas_00ffffffff')
    await stop()
    expect(await wordsOf(LATE)).toEqual(['lost'])
  })

  it('has the same end when it is run twice, and parts the ways of the two key stores', async () => {
    await accept()
    expect(await accept()).toEqual({ erasedAgain: 0, lost: [], unreadable: [] })
    rmSync(join(folder, 'vault'), { recursive: true })
    renameSync(`${folder}-newest`, join(folder, 'vault'))
    await expect(start()).rejects.toThrow('is older than the journal')
  })

  it('is not passed over when it was stopped: it is run again until it has ended', async () => {
    cpSync(folder, `${folder}-begun`, { recursive: true })
    // The first step is in the journal; two erasures and two losses follow.
    for (const steps of [1, 2, 3, 4, 5]) {
      rmSync(folder, { recursive: true })
      cpSync(`${folder}-begun`, folder, { recursive: true })
      await expect(accept(steps)).rejects.toThrow('stopped')
      await expect(start(), `${steps} steps`).rejects.toThrow(
        'not ended: run vouchsafe vault accept-older again',
      )
      expect(await accept()).toEqual({
        erasedAgain: 2 - Math.max(0, Math.min(2, steps - 1)),
        lost: [LATE, BELOW],
        unreadable: [],
      })
      expect(await wordsOf(EARLY, ERASED, ABOVE, LATE, BELOW)).toEqual([
        1,
        'erased',
        'erased',
        'lost',
        'lost',
      ])
    }
    await start()
  }, 240_000)

  it('names those that it cannot read, and gives up only those whose key is unknown', async () => {
    expect(await accept(undefined, [EARLY, LATE])).toEqual({
      erasedAgain: 2,
      lost: [LATE, BELOW],
      unreadable: [EARLY, LATE],
    })
    expect(await wordsOf(EARLY, ERASED, LATE)).toEqual([1, 'erased', 'lost'])
    await start()
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
