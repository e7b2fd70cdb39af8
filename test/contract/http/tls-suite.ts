import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { StartServer } from '../../../src/http/server/server.ts'
import { startTrial } from './trial-service.ts'

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url))
const tls = { certFile: fixture('localhost.crt'), keyFile: fixture('localhost.key') }

export const tlsSuite = (name: string, start: StartServer): void => {
  it(`the ${name} server speaks TLS itself, when it is given a certificate`, async () => {
    const { server, port } = await startTrial(start, { tls })
    const body = await new Promise<string>((resolve, reject) => {
      const options = { host: 'localhost', port, path: '/things/a', ca: readFileSync(tls.certFile) }
      const client = request(options, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        response.once('end', () => resolve(text))
      })
      client.once('error', reject)
      client.end()
    })
    expect(body).toContain('"id":"a"')
    await server[Symbol.asyncDispose]()
  })
}
