import type { HttpResponse } from 'uWebSockets.js'
import type { StreamConnection } from './open-streams.ts'

/** The connection of a stream of uWebSockets.js. */
export const uwsStream = (res: HttpResponse): StreamConnection => ({
  write: (text) => {
    let isRead = false
    res.cork(() => {
      isRead = res.write(text)
    })
    return isRead
  },
  // Asked to close as well, the library would write a header among the chunks.
  end: () => void res.cork(() => res.end()),
  cutOff: () => void res.close(),
  listen: (drained, left) => {
    res.onAborted(left)
    res.onWritable(() => {
      drained()
      return true
    })
  },
})
