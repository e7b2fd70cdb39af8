import { describe, expect, it } from 'vitest'
import { silencedTests, tooLong, unparsable, vagueName } from './shape.ts'
import { parseSource } from './source.ts'

const lines = (count: number) => 'export {}\n'.repeat(count)

describe('the length of a file', () => {
  it('ends at 300 lines, at 500 for a test', () => {
    expect(tooLong(parseSource('src/http/route/route.ts', lines(300)))).toEqual([])
    expect(tooLong(parseSource('test/http/route/route.test.ts', lines(500)))).toEqual([])
    expect(tooLong(parseSource('src/http/route/route.ts', lines(301)))).toEqual([
      'src/http/route/route.ts has 301 lines, 300 is the most: give one of its responsibilities a file of its own.',
    ])
    expect(tooLong(parseSource('test/http/route/route.test.ts', lines(501)))).toHaveLength(1)
  })
})

describe('a name', () => {
  it.each([
    'src/http/server/uws-server.ts',
    'src/sodium-native.d.ts',
    'test/http/route/route.test.ts',
    'vitest.config.ts',
  ])('may be %s', (path) => expect(vagueName(path)).toEqual([]))

  it.each([
    'src/http/utils.ts',
    'src/helpers/text.ts',
    'src/actors/shard-manager.ts',
    'src/http/test-util.ts',
  ])('may not be %s', (path) =>
    expect(vagueName(path)).toEqual([expect.stringContaining('does not say what is in it')]),
  )

  it.each(['src/http/uwsServer.ts', 'src/http/Route.ts', 'src/http/rate_limit.ts'])(
    '%s is not kebab-case',
    (path) => {
      expect(vagueName(path)).toEqual([`${path} is not named in kebab-case.`])
    },
  )
})

describe('a test', () => {
  const silenced = (text: string) => silencedTests(parseSource('test/http/route/route.test.ts', text))

  it.each(['skip', 'only', 'todo', 'skipIf', 'runIf', 'fails'])('may not be silenced by .%s', (word) => {
    expect(silenced(`it.${word}('answers', () => {})`)).toHaveLength(1)
    expect(silenced(`describe.${word}('route', () => {})`)).toHaveLength(1)
    expect(silenced(`it.concurrent.${word}('answers', () => {})`)).toHaveLength(1)
    expect(silenced(`describe.concurrent.${word}('route', () => {})`)).toHaveLength(1)
    expect(silenced(`it.${word}.each([1])('answers %s', () => {})`)).toHaveLength(1)
    expect(silenced(`it['${word}']('answers', () => {})`)).toHaveLength(1)
    expect(silenced(`it('answers', { ${word}: true }, () => {})`)).toHaveLength(1)
  })

  it('may have tables and say such words elsewhere', () => {
    expect(silenced(`it.each([1])('skip %s', () => { list.skip(1) })`)).toEqual([])
    expect(silenced(`it.concurrent('answers', { timeout: 1 }, () => { call('x', { skip: 1 }) })`)).toEqual([])
  })
})

describe('a source that Node 22 runs', () => {
  it.each(['await using app = open()', 'using lock = take()'])('may not say %s', (text) => {
    expect(unparsable(parseSource('src/app.ts', text))).toEqual([expect.stringContaining('src/app.ts:1')])
    expect(unparsable(parseSource('test/app.test.ts', text))).toEqual([])
  })
})
