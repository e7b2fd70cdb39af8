import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callService } from '../../src/cli/service-call.ts'
import { writeLocalCredential } from '../../src/compose/local-credential.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const newFolder = () => temporaryFolder('service-call')

/** Answers with what it was asked, and refuses every token but one. */
const echo = async (): Promise<string> => {
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    const isRight = headers.authorization === 'Bearer right'
    const organisation = headers['x-vouchsafe-organisation']
    response.writeHead(isRight ? 200 : 401)
    response.end(
      url === '/silent'
        ? ''
        : JSON.stringify(isRight ? { method, url, organisation } : { reason: 'Not you.' }),
    )
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a call of the running service', () => {
  it('says so when no service runs', async () => {
    await expect(callService(newFolder())('GET', '/')).rejects.toThrow('No service runs')
    const left = newFolder()
    writeLocalCredential(left, { url: 'http://127.0.0.1:9', token: 't' })
    await expect(callService(left)('GET', '/')).rejects.toThrow('No service runs')
  })

  it('goes out with the token and the organisation, and comes back with the answer or the reason', async () => {
    const folder = newFolder()
    const url = await echo()
    const call = callService(folder)
    writeLocalCredential(folder, { url, token: 'right' })
    expect(await call('PUT', '/v1/x', { organisation: 'ten_1', body: {} })).toEqual({
      method: 'PUT',
      url: '/v1/x',
      organisation: 'ten_1',
    })
    expect(await call('GET', '/v1/x', { organisation: 'é\n' })).toMatchObject({ organisation: '%C3%A9%0A' })
    writeLocalCredential(folder, { url, token: 'wrong' })
    await expect(call('GET', '/v1/x')).rejects.toThrow('Not you.')
    await expect(call('GET', '/silent')).rejects.toThrow('The service answered 401.')
  })
})
