import { get, type IncomingHttpHeaders } from 'node:http'
import { get as getOverTls } from 'node:https'
import { text } from 'node:stream/consumers'

type Opened = {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

/** What a browser gets that opens an address; the `fetch` of Node says of itself that it is none. */
export const openedInBrowser = (address: string): Promise<Opened> =>
  new Promise((resolve, reject) => {
    const open = address.startsWith('https:') ? getOverTls : get
    open(address, { headers: HEADERS, agent: false }, (response) => {
      const { statusCode: status, headers } = response
      text(response).then((body) => resolve({ status, headers, body }), reject)
    }).on('error', reject)
  })
