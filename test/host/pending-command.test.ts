import { describe, expect, it } from 'vitest'
import { answerOf, Work } from '../../src/host/pending-command.ts'

describe('a command on its way', () => {
  it('answers whoever asked for it', async () => {
    const [one, other] = [new Work(null, null, null, null), new Work(null, null, null, null)]
    const answers = [answerOf(one), answerOf(other)]
    other.fail(new Error('late'))
    one.succeed('done')
    expect(await Promise.allSettled(answers)).toMatchObject([
      { value: 'done' },
      { reason: new Error('late') },
    ])
  })

  it('has one answer, the first, and gives its place back once', () => {
    const answers: unknown[] = []
    let released = 0
    const note = (answer: unknown): void => void answers.push(answer)
    const work = new Work(null, null, null, null)
    work.answerTo(note, ({ message }) => note(message))
    work.release = () => {
      released++
    }
    work.fail(new Error('late'))
    work.succeed('done')
    work.fail(new Error('again'))
    expect(answers).toEqual(['late'])
    expect(released).toBe(1)
    expect(work.settled).toBe(true)
  })
})
