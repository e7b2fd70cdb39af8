import { describe, expect, it } from 'vitest'
import { unmatched } from '../../../tools/gate/unmatched.ts'

const report = {
  testResults: [
    { name: '/srv/vouchsafe/test/http/front-door/router.test.ts', status: 'passed', assertionResults: [] },
  ],
}

describe('unmatched', () => {
  it('finds nothing to say about files, parts of paths, lines and flags', () => {
    const choice = [
      'test/http/front-door/router.test.ts',
      './test/http',
      'router',
      'router.test.ts:12',
      '--project=unit',
    ]
    expect(unmatched(choice, report)).toEqual([])
    expect(unmatched(['router', '-t', 'the last id'], report)).toEqual([])
  })

  it('names what no file answers to, also beside files that passed', () => {
    expect(unmatched(['router', 'test/http/ruoter.test.ts'], report)).toEqual([
      'No test file answers to "test/http/ruoter.test.ts".',
    ])
  })
})
