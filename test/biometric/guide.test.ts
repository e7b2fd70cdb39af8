import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { devicePolicy } from '../../src/biometric/aws/device-policy.ts'

const read = (file: string): string => readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')

describe('the guide to the biometric gate', () => {
  const guide = read('BIOMETRIC.md')

  it.each(['aws-service-user', 'aws-device-role', 'aws-device-role-trust'])(
    'shows the policy %s as the tests use it',
    (name) => expect(guide).toContain(`\`\`\`json\n${read(`biometric/${name}.json`)}\`\`\``),
  )

  it('shows the policy that devices are given', () => {
    expect(guide).toContain(`\`\`\`json\n${JSON.stringify(devicePolicy, null, 2)}\n\`\`\``)
  })
})
