import { describe, expect, it } from 'vitest'
import { machinePaths, registryHosts } from './machine.ts'

// Put together here, because this file is read by the rule it tests.
const slash = '/'
const home = `${slash}home/ada/vouchsafe`

describe('a path of one machine', () => {
  it.each([
    home,
    `${slash}Users/ada`,
    `${slash}root/.npm`,
    `cd ${slash}work/x && npm test`,
    String.raw`C:${'\\'}Users\ada`,
  ])('is found in %s', (text) => expect(machinePaths('README.md', text, '/srv/x')).toHaveLength(1))

  it('is found where it is the folder of this very checkout', () => {
    expect(
      machinePaths('docs/A.md', 'see\n/srv/checkouts/vouchsafe/src', '/srv/checkouts/vouchsafe'),
    ).toEqual([
      'docs/A.md:2 names /srv/checkouts/vouchsafe, a path of one machine: make it relative or a setting.',
    ])
  })

  it.each([
    'https://example.org/home/ada',
    `.${slash}work/in/progress`,
    `${slash}home/node`,
    '/tmp/x',
    '/var/lib/vouchsafe',
  ])('is not %s', (text) => expect(machinePaths('README.md', text, '/app')).toEqual([]))
})

describe('a lock file', () => {
  it('may not name the registry it was made with', () => {
    expect(registryHosts('package-lock.json', '"resolved": "https://registry.example/x.tgz"')).toHaveLength(1)
    expect(registryHosts('sdk/package-lock.json', '"resolved": "sdk", "link": true')).toEqual([])
  })
})
