import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openService } from '../../src/compose/service.ts'
import type { Route } from '../../src/http/route/route.ts'
import { startApplication } from '../../tools/harness/started-app.ts'

export type ServiceOptions = {
  readonly moreRoutes?: readonly Route[]
  /** Where its data are and stay; without it a folder that is removed when the process ends. */
  readonly folder?: string | null
  /** How far its clock is before that of the machine. */
  readonly aheadMs?: () => number
  /** The nonce of every offer and proof request. */
  readonly nonce?: string | null
}

/** The whole service as it runs in production. */
export const startService = async (
  environment: Readonly<Record<string, string>>,
  { moreRoutes = [], folder: kept = null, aheadMs = () => 0, nonce = null }: ServiceOptions = {},
) => {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'vouchsafe-bench-'))
  if (kept === null) process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { app, key, order } = await startApplication(folder, environment, async (context) => {
    const runtime = { ...context.runtime, now: () => context.runtime.now() + aheadMs() }
    const newNonce = nonce === null ? context.newNonce : () => nonce
    const service = await openService({ ...context, runtime, newNonce })
    return { ...service, routes: [...service.routes, ...moreRoutes] }
  })
  return { url: app.url, privateUrl: app.privateUrl, key, order, folder }
}
