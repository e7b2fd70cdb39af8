import { describe, expect, it } from 'vitest'
import { webhookCommands } from '../../../src/actors/webhook-endpoint/orders.ts'
import { refuse } from '../../../src/domain/refused.ts'
import { tenant, webhookWorld } from '../webhook-world.ts'

const url = 'https://receiver.example/hooks'

const operator = async () => {
  const world = await webhookWorld()
  const commands = webhookCommands({
    ...world.ports,
    requireTenant: async (id) =>
      id === tenant ? null : refuse('not_found', 'There is no such organisation.'),
    newId: () => world.runtime.newId(),
  })
  const run = async (name: string, input: object): Promise<Record<string, unknown>> => ({
    ...(await commands[name]?.run(input)),
  })
  return { run, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

describe('the orders about webhook endpoints', () => {
  it('set one and show its secret once, then show it without', async () => {
    await using at = await operator()
    const made = await at.run('webhook set', { tenant, url, eventTypes: null })
    expect(made).toMatchObject({ url, eventTypes: null, previousSecretExpiresAt: null })
    expect(made['secret']).toMatch(/^svc_whsec_/)
    const { secret: _, ...rest } = made
    expect(await at.run('webhook show', { tenant })).toEqual(rest)
  })

  it('rotate its secret and say until when the previous one counts', async () => {
    await using at = await operator()
    await at.run('webhook set', { tenant, url, eventTypes: null })
    const rotated = await at.run('webhook rotate', { tenant })
    expect(rotated['secret']).toMatch(/^svc_whsec_/)
    const overlapMs =
      Date.parse(String(rotated['previousSecretExpiresAt'])) - Date.parse(String(rotated['secretCreatedAt']))
    expect(overlapMs).toBe(24 * 3_600_000)
  })

  it('remove it, after which there is none to show', async () => {
    await using at = await operator()
    await at.run('webhook set', { tenant, url, eventTypes: null })
    expect(await at.run('webhook remove', { tenant })).toMatchObject({ url: null, secretCreatedAt: null })
    expect(await at.run('webhook show', { tenant })).toMatchObject({ refused: 'not_found' })
  })

  it('refuse wrong input by the name of its field, and organisations that do not exist', async () => {
    await using at = await operator()
    const wrong = await at.run('webhook set', { tenant, eventTypes: null })
    expect(wrong).toEqual({ refused: 'invalid_request', reason: 'url is required.' })
    const stranger = { tenant: 'ten_00zzzzzzzz', url, eventTypes: null }
    expect(await at.run('webhook set', stranger)).toMatchObject({ refused: 'not_found' })
  })
})
