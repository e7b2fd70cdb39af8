// @ts-check
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInOurPlace } from './child.mjs'
import { Failure } from './failure.mjs'
import { packagesAreFresh } from './installed.mjs'
import { ensureNatives } from './natives.mjs'
import { findNode22 } from './node-22.mjs'
import { NODE_FLAGS } from './node-flags.mjs'
import { supportedPlatform } from './platform.mjs'
import { endTools } from './tool.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Everything a script needs on this machine; says nothing when all of it is there. */
export const prepare = async () => {
  const platform = supportedPlatform()
  if (!packagesAreFresh(root)) {
    const { ensurePackages } = await import('./packages.mjs')
    await ensurePackages(root)
  }
  const variables = await ensureNatives(platform)
  return { node: findNode22(root, platform), environment: { ...process.env, ...variables } }
}

/**
 * @param {string} script
 * @param {string[]} scriptArguments
 */
export const start = async (script, scriptArguments) => {
  const end = (/** @type {NodeJS.Signals} */ signal) => {
    endTools()
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  try {
    const { node, environment } = await prepare()
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
    runInOurPlace(node, [...NODE_FLAGS, join(root, script), ...scriptArguments], environment)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
