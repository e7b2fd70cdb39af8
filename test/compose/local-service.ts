import { newLocalToken, showsToken, writeLocalCredential } from '../../src/compose/local-credential.ts'
import { startPrivateServer } from '../../src/http/server/private-server.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { furnishedApi } from './furnished-api.ts'

/** The furnished API behind a private port, with the local credential in a data folder. */
export const localService = async () => {
  const { api, at } = await furnishedApi()
  const folder = temporaryFolder('local-service')
  const token = newLocalToken()
  const server = await startPrivateServer({
    host: '127.0.0.1',
    port: 0,
    metrics: createMetrics(),
    ready: () => true,
    api: () => ({ accepts: (authorization) => showsToken(authorization, token), door: api.door }),
  })
  const url = `http://127.0.0.1:${server.port}`
  writeLocalCredential(folder, { url, token })
  const close = async () => {
    await server[Symbol.asyncDispose]()
    await api.close()
  }
  return { api, at, folder, token, url, close }
}
