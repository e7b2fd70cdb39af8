// A bare uWebSockets.js server: answers every GET with the same bytes and does nothing else.
import { App, us_socket_local_port } from 'uWebSockets.js'

export async function start(answer: {
  readonly body: string
  readonly headers: readonly (readonly [string, string])[]
}): Promise<number> {
  const app = App().get('/*', (response) => {
    for (const [name, value] of answer.headers) response.writeHeader(name, value)
    response.end(answer.body)
  })
  return await new Promise((resolve, reject) => {
    app.listen('127.0.0.1', 0, (socket) => {
      if (socket) resolve(us_socket_local_port(socket))
      else reject(new Error('the echo server could not listen'))
    })
  })
}
