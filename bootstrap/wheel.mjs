// @ts-check
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, knownCause } from './failure.mjs'
import { runTool } from './tool.mjs'

/**
 * The bytes of one wheel, through pip, so that a person's mirror, proxy and certificates are the ones pip already knows.
 * @param {{ wheel: string, version: string, wheelPlatform: string }} wanted
 * @param {string} scratch a folder on the disk that will hold the result
 */
export const downloadWheel = async ({ wheel, version, wheelPlatform }, scratch) => {
  const folder = mkdtempSync(join(scratch, '.wheel-'))
  const what = `${wheel}==${version}`
  const selection = ['--no-deps', '--only-binary=:all:', '--platform', wheelPlatform, '--dest', folder, what]
  const manners = [
    '--disable-pip-version-check',
    '--no-input',
    '--no-cache-dir',
    '--retries',
    '1',
    '--timeout',
    '20',
  ]
  try {
    const { code, output } = await runTool('python3', ['-m', 'pip', 'download', ...manners, ...selection], {
      env: { ...process.env, TMPDIR: folder },
    }).catch(() => {
      throw new Failure(
        `${what} is fetched with python3, and there is none in the PATH: install Python 3 with pip (Debian: apt-get install python3-pip) and start again.`,
      )
    })
    if (code !== 0) throw new Failure(`pip could not fetch ${what}: ${pipCause(output)}.`)
    const [file] = readdirSync(folder).filter((name) => name.endsWith('.whl'))
    if (file === undefined)
      throw new Failure(
        `pip fetched something else than a wheel for ${what}: set no own pip download options and start again.`,
      )
    return readFileSync(join(folder, file))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} output */
export const pipCause = (output) => {
  if (/No module named '?pip'?/.test(output))
    return 'this Python has no pip: install it (Debian: apt-get install python3-pip, elsewhere: python3 -m ensurepip) and start again'
  const known = knownCause(output)
  if (known !== null) return known
  if (/No matching distribution|Could not find a version/.test(output)) {
    return 'the package index has no such wheel for this machine: check that pip uses PyPI or a full mirror of it'
  }
  const said = output
    .split('\n')
    .filter((line) => line.startsWith('ERROR:'))
    .at(-1)
  return said?.replace('ERROR: ', '') ?? 'it ended without a word'
}
