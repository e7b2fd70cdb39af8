import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openService } from '../../src/compose/service.ts'
import type { Route } from '../../src/http/route/route.ts'
import { startApplication } from '../../tools/harness/started-app.ts'

/** The whole service as it runs in production; its folder is removed when the process ends. */
export const startService = async (
  environment: Readonly<Record<string, string>>,
  moreRoutes: readonly Route[] = [],
) => {
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { app, key, order } = await startApplication(folder, environment, async (context) => {
    const service = await openService(context)
    return { ...service, routes: [...service.routes, ...moreRoutes] }
  })
  if (key === null) throw new Error('the first start showed no API key')
  return { url: app.url, key, order, folder }
}
