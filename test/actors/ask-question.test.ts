import { describe, expect, it } from 'vitest'
import type { Actors, AskOptions } from '../../src/ports/actors.ts'
import { askQuestion } from '../../src/actors/ask-question.ts'

const asked: (readonly [string, unknown, AskOptions])[] = []
const actorsThat = (answerNow?: Actors['answerNow']): Actors => ({
  ask: async <Reply>(...each: readonly [string, unknown, AskOptions]) => {
    asked.push(each)
    return 'later' as Reply
  },
  askTogether: async () => [],
  ...(answerNow && { answerNow }),
})
const ports = (actors: Actors) => ({ actors, askTimeoutMs: 5_000 })

describe('a question', () => {
  it('is answered at once where its actor can', () => {
    const actors = actorsThat(() => ({ reply: 'now' }))
    expect(askQuestion(ports(actors), 'key_1', { type: 'Read' }, null)).toBe('now')
    expect(asked).toEqual([])
  })

  it.each([
    ['cannot', actorsThat(() => null)],
    ['is elsewhere', actorsThat()],
  ])('takes its turn where its actor %s', async (_, actors) => {
    asked.splice(0)
    expect(await askQuestion(ports(actors), 'key_1', { type: 'Read' }, 'ten_1')).toBe('later')
    expect(asked).toEqual([['key_1', { type: 'Read' }, { commandId: '', timeoutMs: 5_000, tenant: 'ten_1' }]])
  })
})
