// @ts-check
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { causeOf, Failure, knownCause } from './failure.mjs'
import { expectedFolders, packagesAreFresh, writeStamp } from './installed.mjs'
import { withLock } from './lock.mjs'
import { findNpm, npmEnvironment } from './npm.mjs'
import { withProgress } from './progress.mjs'
import { runTool } from './tool.mjs'

/**
 * Brings node_modules to what package-lock.json says. Install scripts stay off: none is needed, and two of them would
 * download from places that may be closed.
 * @param {string} root
 */
export const ensurePackages = async (root) => {
  if (packagesAreFresh(root)) return
  const waiting = () => process.stderr.write('Another start is installing the packages; waiting for it …\n')
  try {
    await withLock(
      join(root, '.cache', 'install.lock'),
      async () => {
        if (!packagesAreFresh(root)) await install(root)
      },
      waiting,
    )
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`The npm packages could not be installed into ${root}: ${causeOf(error)}.`)
  }
}

/** @param {string} root */
const install = async (root) => {
  const folders = expectedFolders(root)
  const present = () => folders.filter((path) => existsSync(path)).length
  await withProgress(
    {
      doing: `Installing ${folders.length} npm packages`,
      measure: () => `${present()} of ${folders.length}`,
      done: () => `Installed ${present()} npm packages`,
    },
    () => npmCi(root),
  )
  writeStamp(root)
}

/** @param {string} root */
const npmCi = async (root) => {
  const { command, first } = findNpm()
  const flags = [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--progress=false',
    '--loglevel=error',
  ]
  const { code, output } = await runTool(command, [...first, ...flags], {
    cwd: root,
    env: npmEnvironment(),
  }).catch(() => {
    throw new Failure(
      'There is no npm beside this Node and none in the PATH: install npm (Debian: apt-get install npm) and start again.',
    )
  })
  if (code !== 0) throw new Failure(`npm could not install the packages: ${npmCause(output)}.`)
}

/** @param {string} output */
export const npmCause = (output) => {
  if (/npm error code EUSAGE/.test(output)) {
    return 'package.json and package-lock.json do not belong together: run npm install once, or fetch both files again'
  }
  if (/npm error code EINTEGRITY/.test(output)) {
    return 'a package arrived with other contents than the lock file names: run npm cache clean --force and start again; if it happens again, do not trust that registry'
  }
  const known = knownCause(output)
  if (known !== null) return known
  const said = output.split('\n').find((line) => /^npm error (?!code|A complete log)/.test(line))
  return `${said?.replace('npm error ', '') ?? 'it ended without a word'} (run npm ci --ignore-scripts to see everything)`
}
