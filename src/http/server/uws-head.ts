import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { newRequestId, type RequestHead } from './server.ts'

/**
 * The library's request is gone when its handler returns, so everything is copied but the address, which is rarely
 * asked for.
 */
export class UwsHead implements RequestHead {
  readonly id = newRequestId()
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: ReadonlyMap<string, string>
  isOver = false
  readonly #res: HttpResponse

  constructor(res: HttpResponse, req: HttpRequest, headers: ReadonlyMap<string, string>) {
    this.method = req.getCaseSensitiveMethod()
    this.path = req.getUrl()
    this.query = queryOf(req)
    this.headers = headers
    this.#res = res
  }

  get remoteAddress(): string {
    return this.isOver ? '' : Buffer.from(this.#res.getRemoteAddressAsText()).toString('latin1')
  }
}

/** Undefined, whatever the library's types say, when there is no question mark. */
const queryOf = (req: { getQuery(): string | undefined }): string => req.getQuery() ?? ''
