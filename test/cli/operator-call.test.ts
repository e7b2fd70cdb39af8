import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ordering } from '../../src/cli/operator-call.ts'
import { createOutput } from '../../src/cli/output.ts'
import { writeOperatorAccess } from '../../src/compose/operator-access.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const run = async (folder: string) => {
  const lines: string[] = []
  const output = createOutput(
    false,
    (text) => lines.push(text),
    (text) => lines.push(text),
  )
  const code = await ordering({ VOUCHSAFE_DATA_FOLDER: folder }, output, async (call) => {
    const answer = await call('echo', { n: 1 })
    output.result(answer, JSON.stringify(answer))
  })
  return { code, text: lines.join('') }
}
const newFolder = () => temporaryFolder('operator-call')

describe('an order to the running service', () => {
  it('says when no service runs', async () => {
    expect(await run(newFolder())).toMatchObject({
      code: 1,
      text: expect.stringContaining('No service runs') as string,
    })
    const left = newFolder()
    writeOperatorAccess(left, { url: 'http://127.0.0.1:9', token: 't' })
    expect((await run(left)).text).toContain('No service runs')
  })

  it('goes out with the token and comes back with the answer or the reason', async () => {
    const server = createServer((request, response) => {
      const right = request.headers.authorization === 'Bearer right'
      response
        .writeHead(right ? 200 : 401)
        .end(JSON.stringify(right ? { done: true } : { reason: 'Not you.' }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const folder = newFolder()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    writeOperatorAccess(folder, { url, token: 'right' })
    expect(await run(folder)).toEqual({ code: 0, text: '{"done":true}\n' })
    writeOperatorAccess(folder, { url, token: 'wrong' })
    expect(await run(folder)).toEqual({ code: 1, text: 'Not you.\n' })
    server.close()
  })
})
