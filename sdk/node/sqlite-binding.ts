import { createRequire } from 'node:module'
import { storageProblem } from '../core/rows/storage-problem.ts'

/** From this version on the binding needs a Node-API of 10, which Node has from 22 on: Node 20 dies of it without a word. */
const NEWER_FROM = 13
const NODE_API_OF_NEWER = 10

export const refuseForeignBinding = (
  nodeApi = Number(process.versions['napi']),
  version = installedVersion(),
): void => {
  if (nodeApi >= NODE_API_OF_NEWER || Number.parseInt(version, 10) < NEWER_FROM) return
  throw storageProblem(
    'storage_unavailable',
    `better-sqlite3 ${version} does not run on Node ${process.versions.node}: install better-sqlite3@12.11.1`,
  )
}

const installedVersion = (): string =>
  (createRequire(import.meta.url)('better-sqlite3/package.json') as { readonly version: string }).version
