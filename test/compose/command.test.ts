import { describe, expect, it } from 'vitest'
import { command, text } from '../../src/compose/command.ts'
import { exact } from '../../src/http/route/fields.ts'

describe('a command', () => {
  const ordered: string[] = []
  const greet = command(exact({ name: text }), async ({ name }) => ({ count: ordered.push(name) }))

  it('runs with the input that its schema describes', async () => {
    expect(await greet.run({ name: 'Ada' })).toEqual({ count: 1 })
  })

  it.each([undefined, {}, { name: '' }, { name: 'x'.repeat(301) }, { name: 'Ada', more: 1 }])(
    'refuses %j and does not run',
    async (input) => {
      expect(await greet.run(input)).toMatchObject({ refused: 'invalid_request' })
      expect(ordered).toEqual(['Ada'])
    },
  )
})
