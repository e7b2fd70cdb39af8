import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/config.ts'
import { startHttpServer } from '../../../src/http/server/start-server.ts'
import { silentLog } from '../../silent-log.ts'

describe('the HTTP server that the configuration names', () => {
  it.each(['uws', 'node'] as const)('is %s', async (engine) => {
    const { http } = loadConfig({ VOUCHSAFE_HTTP_ENGINE: engine })
    const options = { host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 1_000 }
    const door = { accept: () => Promise.reject(new Error('not asked')) as never }
    const server = await startHttpServer(http, options, door, silentLog)
    expect([server.engine, server.port > 0]).toEqual([engine, true])
    await server[Symbol.asyncDispose]()
  })

  it("is Node's own, with a log line, where uWebSockets.js cannot be loaded", () => {
    const at = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href)
    const program = `
      import { registerHooks } from 'node:module'
      registerHooks({
        resolve: (name, context, next) => {
          if (name === 'uWebSockets.js') throw new Error('no binary for this platform')
          return next(name, context)
        },
      })
      const { loadConfig } = await import(${at('config/config.ts')})
      const { startHttpServer } = await import(${at('http/server/start-server.ts')})
      const log = (event, { engine }) => console.log(event, engine)
      const options = { host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 1000 }
      const server = await startHttpServer(loadConfig({}).http, options, {}, log)
      console.log(server.engine)
      await server[Symbol.asyncDispose]()`
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    })
    expect([stdout, status]).toEqual(['http.engine_fallback node\nnode\n', 0])
  })
})
