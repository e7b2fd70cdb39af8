import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import { callService } from '../../src/cli/service-call.ts'
import { runningService } from '../e2e/running-service.ts'
import { vouchsafe } from '../e2e/vouchsafe-command.ts'

it('an organisation that cannot be read keeps what the export before said of it, and holds up no other', async () => {
  const seeding = await runningService()
  const { folder, order } = seeding
  const settings = { VOUCHSAFE_DATA_FOLDER: folder }
  const file = join(folder, 'erasures')
  const exported = () => vouchsafe(settings, ['erasures', 'export', file])
  const about = (id: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((text) => (text.includes(id) ? [JSON.parse(text) as Record<string, unknown>] : []))
  const made = async (name: string) => {
    const id = String((await order('tenant create', { name }))['id'])
    const sent = { organisation: id, body: { retentionDays: 30 } }
    await callService(folder)('PUT', '/v1/data-retention', sent)
    return id
  }
  const [unreadable, neighbour] = [await made('Museum'), await made('Zoo')]
  expect(await exported()).toMatchObject({ code: 0, answer: { periods: 2, unreadable: [] } })
  await seeding.app.stop()
  const keys = new BetterSqlite3(join(folder, 'vault', 'keys.sqlite'))
  keys.prepare('DELETE FROM data_keys WHERE record = ?').run(unreadable)
  keys.close()
  const { app } = await runningService({}, folder)
  const sent = { organisation: neighbour, body: { retentionDays: 40 } }
  await callService(folder)('PUT', '/v1/data-retention', sent)

  const again = await exported()
  expect(again.code, again.said).toBe(1)
  expect(about(unreadable)).toMatchObject([{ retentionDays: 30 }])
  expect(about(neighbour)).toMatchObject([{ retentionDays: 40 }])
  expect((await vouchsafe(settings, ['erasures', 'export', file])).code, 'once more').toBe(1)
  expect(about(unreadable)).toMatchObject([{ retentionDays: 30 }])
  await app.stop()
}, 240_000)

it('a day that there is not begins no export', async () => {
  for (const since of ['2026-02-31', '2026-13-01', '2026-02-31T12:00:00Z', 'yesterday']) {
    const { code, said } = await vouchsafe({}, ['erasures', 'export', 'nowhere', '--since', since])
    expect([code, said], since).toEqual([expect.any(Number), expect.stringContaining('That is no time')])
    expect(code).not.toBe(0)
  }
})
