import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'

/** The whole service as it runs in production, on free ports and in a folder of its own; answers with its port. */
export async function start(environment: Readonly<Record<string, string>>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const ours = { PORT: '0', VOUCHSAFE_PRIVATE_PORT: '0', VOUCHSAFE_DATA_FOLDER: folder }
  const app = await startApp(loadConfig({ ...ours, ...environment }))
  return Number(new URL(app.url).port)
}
