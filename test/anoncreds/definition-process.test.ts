import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { DefinitionAnswer } from '../../src/anoncreds/definition-process.ts'
import type { EngineChoice } from '../../src/anoncreds/selection.ts'
import { orderFor, publishedAs, Wallet } from '../../native/campaign/wallet.ts'

const file = fileURLToPath(new URL('../../src/anoncreds/definition-process.ts', import.meta.url))

const answerOf = async (engine: EngineChoice, attributes: readonly string[]): Promise<DefinitionAnswer> => {
  const child = fork(file, [], { execArgv: [], serialization: 'advanced' })
  const ended = once(child, 'exit')
  const answered = once(child, 'message') as Promise<[DefinitionAnswer]>
  child.send({ input: orderFor('process', attributes), engine })
  const [answer] = await answered
  await ended
  return answer
}

describe('the process of key generation', () => {
  it.each<[EngineChoice, string]>([
    ['auto', 'native'],
    ['library', 'library'],
  ])(
    'with engine "%s" makes a key that holders accept, and ends',
    { timeout: 90_000 },
    async (engine, maker) => {
      const answer = await answerOf(engine, ['name'])
      if (answer.kind !== 'made') throw new Error(answer.reason)
      expect(answer.engine).toBe(maker)
      const published = publishedAs(answer.definition, 'process', ['name'])
      expect(new Wallet().request(published).request).toContain('blinded_ms')
    },
  )

  it('says what is wrong with the order', { timeout: 60_000 }, async () => {
    expect(await answerOf('native', [])).toMatchObject({ kind: 'failed', refused: true })
  })
})
