import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Runs where a page makes markup of it, and says so in the title. */
export const HOSTILE = `"><img src=x onerror="document.title='ran'"><script>document.title='ran'</script>`

/** What a page says of itself after it was given something hostile. */
export const expectNothingRan = async (page: Page, complaints: readonly string[]): Promise<void> => {
  const at = page.url()
  expect(await page.locator('img, iframe, #console script').count(), at).toBe(0)
  expect(await page.title(), at).not.toBe('ran')
  const addresses = "[...document.querySelectorAll('a[href]')].map(({ href }) => href.split(':')[0])"
  for (const scheme of await page.evaluate<string[]>(addresses))
    expect(['http', 'https'], at).toContain(scheme)
  expect(complaints, at).toEqual([])
}

/** A server of somebody else, that answers whatever is asked in the same way. */
export const serverOfOthers = async (answer: string, status = 200): Promise<OtherServer> => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'text/html' }).end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, neighbour: `http://localhost:${port}`, server }
}

export type OtherServer = {
  readonly url: string
  /** By another name of this machine: one of both is the host of the service, to which browsers send its cookies. */
  readonly neighbour: string
  readonly server: Server
}
