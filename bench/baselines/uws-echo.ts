// A bare uWebSockets.js server: answers every GET, and every POST once its body is in, with the same bytes.
import { App, type HttpResponse, us_socket_local_port } from 'uWebSockets.js'

export async function start(answer: {
  readonly status?: string
  readonly body: string
  readonly headers: readonly (readonly [string, string])[]
}): Promise<number> {
  const send = (response: HttpResponse): void => {
    if (answer.status !== undefined) response.writeStatus(answer.status)
    for (const [name, value] of answer.headers) response.writeHeader(name, value)
    response.end(answer.body)
  }
  const app = App()
    .get('/*', send)
    .post('/*', (response) => {
      response.onAborted(() => undefined)
      response.onData((_chunk, isLast) => {
        if (isLast) send(response)
      })
    })
  return await new Promise((resolve, reject) => {
    app.listen('127.0.0.1', 0, (socket) => {
      if (socket) resolve(us_socket_local_port(socket))
      else reject(new Error('the echo server could not listen'))
    })
  })
}
