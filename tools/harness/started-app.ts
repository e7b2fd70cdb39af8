import { startApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { OpenService } from '../../src/compose/service.ts'
import { ordersTo } from './orders.ts'
import { unhindered } from './service.ts'

/** The whole service as it runs in production, in this process, on free ports and on a folder of its own. */
export const startApplication = async (
  folder: string,
  environment: Readonly<Record<string, string>>,
  open?: OpenService,
) => {
  const config = loadConfig({ ...unhindered, VOUCHSAFE_DATA_FOLDER: folder, ...environment })
  const app = await startApp(config, open)
  /** The API key of the organisation that the first start on a folder makes; null on a cluster and at later starts. */
  const key = /svc_sk_\S+/.exec(app.notes.join('\n'))?.[0] ?? null
  return { app, key, order: ordersTo(folder) }
}
