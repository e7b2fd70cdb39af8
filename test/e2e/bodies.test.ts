import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import { createWallet, type Wallet } from '../../sdk/wallet/create-wallet.ts'
import { DishonestProofFormat } from '../../sdk/wallet/dishonest-proof-format.ts'
import { loadConfig } from '../../src/config/config.ts'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { unwrapSnapshot } from '../../src/host/state/snapshot-envelope.ts'
import { readActor, walkActors } from '../../src/persistence/journal-walk.ts'
import { openForInspection } from '../../src/persistence/open-engine.ts'
import { CELL_BYTES } from '../../src/persistence/sqlite/body-file.ts'
import { openKeyStore, openVaultUnchecked } from '../../src/persistence/vault/open-vault.ts'
import {
  freshFolder,
  type Json,
  publishPerson,
  type RunningService,
  runningService,
  untilState,
  WAIT,
  walletOptions,
} from './running-service.ts'

/** Numbers so long that they stand nowhere by chance. */
const longNumbersIn = (value: unknown): readonly string[] =>
  JSON.stringify(value).match(/(?<=")\d{60,}(?=")/g) ?? []

const SEALED_TAIL_LENGTH = ',"s":""}'.length

/** Every sealed part of every event and snapshot in the folder, opened with the keys that are there. */
const openedIn = async (dataFolder: string): Promise<string> => {
  const config = loadConfig({ VOUCHSAFE_DATA_FOLDER: dataFolder })
  const vault = await openVaultUnchecked(config, await openKeyStore(config, null, false), () => 0)
  const reads = await openForInspection({ engine: 'sqlite', dataFolder })
  const opened: string[] = []
  for (let shard = 0; shard < SHARD_COUNT; shard++)
    for await (const actor of walkActors(reads, shard)) {
      const { snapshot, events } = await readActor(reads, actor)
      const state = snapshot === null ? [] : [unwrapSnapshot(snapshot.data).state]
      for (const data of [...state, ...events.map((event) => event.data)]) {
        const { s } = JSON.parse(data) as { s?: string }
        if (s === undefined) continue
        const head = data.slice(0, data.length - s.length - SEALED_TAIL_LENGTH)
        opened.push((await vault.open(actor)).open(s, head) ?? '')
      }
    }
  await reads[Symbol.asyncDispose]()
  await vault[Symbol.asyncDispose]()
  return opened.join('\n')
}

describe('what was signed and what was shown', () => {
  let service: RunningService
  let wallet: Wallet
  let world: Awaited<ReturnType<typeof publishPerson>>
  let connectionId = ''
  let signature: readonly string[] = []
  let shown: readonly string[] = []
  const format = new DishonestProofFormat()

  beforeAll(async () => {
    service = await runningService()
    world = await publishPerson(service)
    wallet = await createWallet(await walletOptions(service), format)
    void new AutomaticHolder(wallet, { offers: 'accept', proofs: 'accept' }, () => undefined)
    const { json } = await service.send('POST', '/v1/connections/invitations', {})
    await wallet.agent.didcomm.oob.receiveInvitationFromUrl(String(json['invitationUrl']), { label: 'Phone' })
    const path = `/v1/connections?state=completed&invitationId=${String(json['invitationId'])}`
    connectionId = await vi.waitFor(async () => {
      const [found] = ((await service.send('GET', path)).json['items'] ?? []) as Json[]
      expect(found).toBeDefined()
      return String(found?.['id'])
    }, WAIT)
  })
  afterAll(async () => {
    await wallet?.close()
    await service?.app.stop()
  })

  const bodies = (): Buffer => readFileSync(join(service.folder, 'bodies')).subarray(CELL_BYTES)
  const isNowhere = async (numbers: readonly string[]): Promise<void> => {
    expect(bodies().every((byte) => byte === 0)).toBe(true)
    const copy = freshFolder()
    cpSync(service.folder, copy, { recursive: true })
    const bytes = readdirSync(copy, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n')
    const opened = await openedIn(copy)
    expect(opened).toContain('Ada Lovelace')
    expect(numbers.filter((number) => bytes.includes(number) || opened.includes(number))).toEqual([])
  }

  it('is in no file, and nothing that a key opens has it, one second after the ack', async () => {
    const expiresAt = String(Math.floor(Date.now() / 1_000) + 3_600)
    const { json } = await service.send('POST', '/v1/credentials/offer', {
      connectionId,
      credentialDefinitionId: world.definitionId,
      attributes: { name: 'Ada Lovelace', age: '36', expiresAt },
    })
    const id = String(json['id'])
    await untilState(service, `/v1/credentials/${id}`, 'done')
    await setTimeout(1_000)
    const { credentials } = wallet.agent.didcomm
    const exchange = (await credentials.getAll()).find(({ threadId }) => threadId === id)
    const { credential } = await credentials.getFormatData(exchange?.id ?? '')
    signature = longNumbersIn(credential)
    expect(signature.length).toBeGreaterThan(0)
    await isNowhere(signature)
  })

  it('is in no file, and nothing that a key opens has it, one second after the verification', async () => {
    let isKept = false
    format.cheat = {
      presentation: ({ proof }) => {
        shown = longNumbersIn(proof)
      },
    }
    const { json } = await service.send('POST', '/v1/proofs/request', {
      connectionId,
      proofTemplateId: world.templateId,
    })
    const watch = setInterval(() => {
      isKept ||= bodies().some((byte) => byte !== 0)
    }, 1)
    const verified = await untilState(service, `/v1/proofs/${String(json['id'])}`, 'done')
    clearInterval(watch)
    expect(verified).toMatchObject({ verified: true })
    await setTimeout(1_000)
    expect(shown.length).toBeGreaterThan(0)
    await isNowhere([...signature, ...shown])
    // It had been there: otherwise this would show nothing.
    expect(isKept).toBe(true)
  })
})
