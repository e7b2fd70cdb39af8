import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../../src/app.ts'
import { readOperatorAccess } from '../../src/compose/operator-access.ts'
import { loadConfig } from '../../src/config/config.ts'

type Json = Record<string, unknown>

/** The whole service as `npm start` runs it, in this process, on a new folder; spoken to over its ports alone. */
export const runningService = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-whole-'))
  const app = await startApp(
    loadConfig({
      PORT: '0',
      VOUCHSAFE_PRIVATE_PORT: '0',
      VOUCHSAFE_LOG_LEVEL: 'silent',
      VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true',
      VOUCHSAFE_CRYPTO_WORKERS: '1',
      VOUCHSAFE_DATA_FOLDER: folder,
    }),
  )
  const apiKey = /svc_sk_\S+/.exec(app.notes.join('\n'))?.[0] ?? ''
  const order = async <Answer = Json>(command: string, input: object): Promise<Answer> => {
    const access = readOperatorAccess(folder)
    const response = await fetch(`${access?.url}/operator`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${access?.token}` },
      body: JSON.stringify({ command, input }),
    })
    const answer = (await response.json()) as Answer
    if (!response.ok) throw new Error(JSON.stringify(answer))
    return answer
  }
  const send = async (method: string, path: string, body?: object, key = apiKey) => {
    const response = await fetch(`${app.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parse(text) }
  }
  return { app, folder, apiKey, order, send, tenant: 'ten_00development' }
}

const parse = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}

export type RunningService = Awaited<ReturnType<typeof runningService>>

/** Until an order's subject is on the ledger. */
export const published = async (service: RunningService, show: string, id: unknown): Promise<Json> => {
  for (let attempt = 0; attempt < 600; attempt++) {
    const found = await service.order(show, { id })
    if (found['status'] === 'published') return found
    if (found['status'] === 'failed') throw new Error(String(found['lastError']))
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`${String(id)} was not published in time`)
}
