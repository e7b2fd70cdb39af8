import { join } from 'node:path'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { SHARD_COUNT } from '../../src/domain/shards.ts'
import { engineSettings } from '../../src/persistence/engine-settings.ts'
import { openForInspection } from '../../src/persistence/inspect.ts'
import { walkActors } from '../../src/persistence/journal-walk.ts'
import { loadConfig } from '../../src/config/config.ts'
import { ServiceProcess } from '../service-process.ts'

const KEYS = 60
const CALLERS = 24

let running: ServiceProcess | null = null
afterEach(() => running?.signal('SIGKILL'))

const start = async (folder: string) => {
  const service = new ServiceProcess({
    VOUCHSAFE_DATA_FOLDER: folder,
    VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE: '1000000',
    // A run that died with the process counts as dead after four of these.
    VOUCHSAFE_ASK_TIMEOUT_MS: '500',
  })
  running = service
  return { service, url: (await service.listening()).url }
}

const invitationsIn = async (folder: string): Promise<number> => {
  const reads = await openForInspection(engineSettings(loadConfig({ VOUCHSAFE_DATA_FOLDER: folder })))
  let found = 0
  for (let shard = 0; shard < SHARD_COUNT; shard++)
    for await (const actor of walkActors(reads, shard)) if (actor.startsWith('inv_')) found += 1
  await reads[Symbol.asyncDispose]()
  return found
}

/** The id of what was made, or the status of another answer; null when the process was gone. */
const invite = async (url: string, apiKey: string, key: string): Promise<string | number | null> => {
  try {
    const response = await fetch(`${url}/v1/connections/invitations`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: '{}',
    })
    const { invitationId } = (await response.json()) as { invitationId?: string }
    return invitationId ?? response.status
  } catch {
    return null
  }
}

/** As a caller does who obeys: again under the same key, until it is made. */
const insist = async (url: string, apiKey: string, key: string): Promise<string> => {
  for (let attempt = 0; attempt < 400; attempt++) {
    const answer = await invite(url, apiKey, key)
    if (typeof answer === 'string') return answer
    expect([null, 409, 503]).toContain(answer)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${key} was not made in time`)
}

describe('simultaneous equal requests', () => {
  it('have one effect for each key, also when the process is killed among them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-kill-'))
    const first = await start(folder)
    await expect.poll(() => first.service.apiKey).toMatch(/^svc_sk_/)
    const { apiKey } = first.service
    await insist(first.url, apiKey, 'ready')
    const keys = Array.from({ length: KEYS }, (_, index) => `key ${index}`)
    let answered = 0
    const before: [string, string | number | null][] = []
    // Each goes through all keys, beginning at another one, until the process is gone under it.
    const caller = async (offset: number): Promise<void> => {
      for (let round = 0; ; round++) {
        const key = keys[(offset * 5 + Math.floor(round / 2)) % KEYS] ?? ''
        const answer = await invite(first.url, apiKey, key)
        before.push([key, answer])
        if (answer === null) return
        if (typeof answer === 'string' && ++answered === KEYS / 2) first.service.signal('SIGKILL')
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, (_, offset) => caller(offset)))
    await first.service.ended
    const second = await start(folder)
    const after = new Map(
      await Promise.all(keys.map(async (key) => [key, await insist(second.url, apiKey, key)] as const)),
    )
    for (const [key, answer] of before) if (typeof answer === 'string') expect(after.get(key)).toBe(answer)
    expect(new Set(after.values()).size).toBe(KEYS)
    await second.service.stop()
    expect(await invitationsIn(folder)).toBe(1 + KEYS)
  }, 120_000)
})
