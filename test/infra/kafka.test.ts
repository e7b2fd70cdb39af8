import { expect, it } from 'vitest'
import { clusterId } from '../../tools/infra/kafka.ts'

it('the id of a Kafka cluster begins with no dash, which its tool takes for an option', () => {
  const [dashed, plain] = [Buffer.alloc(16, 0xfb), Buffer.alloc(16, 1)]
  expect(dashed.toString('base64url')).toMatch(/^-/)
  const drawn = [dashed, plain]
  expect(clusterId(() => drawn.shift() ?? plain)).toBe(plain.toString('base64url'))
})
