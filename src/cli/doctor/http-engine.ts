import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Check, broken, causeOf, fine } from './check.ts'

/** SHA-256 of the binary of the npm repack that this version was measured and tested with. */
const KNOWN_REPACK = '8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af'

/** Says whose build of uWebSockets.js is loaded, because upstream publishes none on npm. */
export const httpEngine: Check = {
  name: 'uws',
  applies: (config) => config.http.engine === 'uws',
  run: async () => {
    try {
      await import('../../http/server/uws-server.ts')
    } catch (error) {
      return broken(
        `uWebSockets.js does not load here: ${causeOf(error)}`,
        'nothing must be done, the server built into Node is used; VOUCHSAFE_HTTP_ENGINE=node says so without a warning',
      )
    }
    const file = fileURLToPath(new URL(binaryName(), import.meta.resolve('uWebSockets.js')))
    if (!existsSync(file)) return fine("uWebSockets.js, upstream's own release")
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
    return fine(
      `uWebSockets.js, ${hash === KNOWN_REPACK ? 'the tested' : 'a'} repack from npm (uws-pack), sha256 ${hash.slice(0, 16)}…`,
    )
  },
}

const binaryName = (): string =>
  `./bin/uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
