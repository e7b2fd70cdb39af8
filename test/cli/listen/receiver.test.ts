import { describe, expect, it } from 'vitest'
import { receiver, refuseInClear } from '../../../src/cli/listen/receiver.ts'

describe('the receiver of a developer', () => {
  it('is any address that can be posted to', () => {
    expect(receiver('http://localhost:3000/hook')).toBe('http://localhost:3000/hook')
    expect(() => receiver('localhost:3000')).toThrow('must begin with http://')
    expect(() => receiver('http://a:b@localhost/')).toThrow('must not hold a password')
  })

  it('gets nothing in clear over the internet', async () => {
    for (const url of ['http://93.184.215.14/hook', 'http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/'])
      await expect(refuseInClear(url)).rejects.toThrow('does not travel in clear')
    for (const url of [
      'http://localhost/',
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://10.0.0.2/',
      'https://93.184.215.14/',
    ])
      await expect(refuseInClear(url)).resolves.toBeUndefined()
  })
})
