import { type AddressInfo } from 'node:net'
import { createServer, get } from 'node:http'
import { expect, it } from 'vitest'
import { nodeStream } from '../../../src/http/server/node-stream.ts'
import { OpenStreams } from '../../../src/http/server/open-streams.ts'

it('an answer that has ended is left once, and none is open after the end of all', async () => {
  const streams = new OpenStreams()
  const seen: string[] = []
  const server = createServer((_, response) => {
    response.writeHead(200)
    streams.start(
      nodeStream(response),
      {
        start: (outlet) => {
          outlet.write('a')
          return { drained: () => undefined, ended: () => void seen.push('ended') }
        },
        cancel: () => void seen.push('cancelled'),
      },
      () => void seen.push('left'),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const body = await new Promise<string>((resolve, reject) => {
    get({ port, host: '127.0.0.1' }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        streams.end()
        streams.end()
      })
      response.on('end', () => resolve(text))
    }).on('error', reject)
  })
  expect(body).toBe('a')
  expect(seen).toEqual(['left', 'ended'])
  await new Promise((resolve) => server.close(resolve))
  expect(seen).toEqual(['left', 'ended'])
})

it('an answer that its writer ends while it begins is over for the writer too', async () => {
  const streams = new OpenStreams()
  const seen: string[] = []
  const server = createServer((_, response) => {
    streams.start(
      nodeStream(response),
      {
        start: (outlet) => {
          outlet.end()
          return { drained: () => undefined, ended: () => void seen.push('ended') }
        },
        cancel: () => undefined,
      },
      () => void seen.push('left'),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await fetch(`http://127.0.0.1:${port}`)
  expect(seen).toEqual(['left', 'ended'])
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
