import type { ServerResponse } from 'node:http'
import type { StreamConnection } from './open-streams.ts'

/** The connection of a stream of Node's own server. */
export const nodeStream = (response: ServerResponse): StreamConnection => ({
  write: (text) => response.write(text),
  end: () => void response.end(),
  cutOff: () => void response.destroy(),
  listen: (drained, left) => void response.on('drain', drained).once('close', left),
})
