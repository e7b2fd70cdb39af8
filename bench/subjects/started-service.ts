import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { openParts } from '../../src/open-parts.ts'
import type { OpenPart } from '../../src/parts.ts'
import { type GiveOrder, ordersTo } from '../../tools/harness/orders.ts'

type StartedService = {
  readonly url: string
  /** Of the organisation. */
  readonly key: string
  readonly order: GiveOrder
}

/** The whole service as it runs in production, on free ports and in a folder that goes with the process. */
export const startService = async (
  environment: Readonly<Record<string, string>>,
  moreParts: readonly OpenPart[] = [],
): Promise<StartedService> => {
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const app = await startApp(
    loadConfig({
      PORT: '0',
      VOUCHSAFE_PRIVATE_PORT: '0',
      VOUCHSAFE_DATA_FOLDER: folder,
      VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true',
      // What is measured is how fast it answers, not how soon it refuses; the windows are kept all the same.
      VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE: '1000000',
      ...environment,
    }),
    [...openParts, ...moreParts],
  )
  const key = /svc_sk_\S+/.exec(app.notes.join('\n'))?.[0]
  if (key === undefined) throw new Error('the first start showed no API key')
  return { url: app.url, key, order: ordersTo(folder) }
}
