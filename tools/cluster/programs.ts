import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Layout, type NodePlace, paths } from './layout.ts'
import type { ProxyStatus } from './proxy/proxy.ts'
import type { Program } from './processes.ts'
import { HOST, nodeName, nodeSettings, sharedSettings } from './settings.ts'

export const PROXY = 'proxy'
export const LEDGER = 'sandbox-ledger'

const proxyScript = fileURLToPath(new URL('./proxy-process.ts', import.meta.url))
const ASK_LIMIT_MS = 2_000

const answersOk = async (url: string): Promise<boolean> => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(ASK_LIMIT_MS) })
  await answer.arrayBuffer()
  return answer.ok
}

export const readyUrl = ({ privatePort }: NodePlace): string => `http://${HOST}:${privatePort}/ready`

export const nodeProgram = (folder: string, layout: Layout, node: NodePlace): Program => ({
  name: nodeName(node),
  command: ['src/main.ts'],
  settings: [sharedSettings(folder, layout), nodeSettings(folder, layout, node)],
  isReady: () => answersOk(readyUrl(node)),
})

/** The ledger that all nodes use, as an Indy network would be. */
export const ledgerProgram = (folder: string, { ledgerPort }: Layout): Program => {
  const { ledger, ledgerData } = paths(folder)
  return {
    name: LEDGER,
    command: ['deploy/sandbox-ledger.ts', ledgerData, ledger, HOST, String(ledgerPort)],
    settings: [],
    isReady: async () => existsSync(join(ledger, 'genesis.txn')),
  }
}

export const proxyProgram = (folder: string, layout: Layout): Program => ({
  name: PROXY,
  command: [proxyScript, paths(folder).proxySettings],
  settings: [],
  isReady: async () => (await askProxy(layout)) !== null,
})

/** Null where no proxy answers. */
export const askProxy = async ({ statusPort }: Layout): Promise<ProxyStatus | null> => {
  try {
    const answer = await fetch(`http://${HOST}:${statusPort}/`, { signal: AbortSignal.timeout(ASK_LIMIT_MS) })
    return (await answer.json()) as ProxyStatus
  } catch {
    return null
  }
}
