import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { causeOf, Failure } from '../../bootstrap/failure.mjs'

/** The Maven resolver of the Python world; its wheel is a stated place that says where Maven Central is. */
const RESOLVER = {
  name: 'jgo',
  version: '3.2.0',
  sha256: 'a7a255b9dba13a9397d4a1c8937ad820699c6b8131cef1b8844c2016038d189e',
}
const PRINT_ADDRESS = `
import re, sys, zipfile
text = zipfile.ZipFile(sys.argv[1]).read('jgo/constants.py').decode()
print(re.search(r'^MAVEN_CENTRAL_URL = "(https://[^"]+)"$', text, re.M).group(1))
`
const DOWNLOAD_TIMEOUT_MS = 120_000

/**
 * Where Maven Central is. No host stands in these sources: a mirror in MAVEN_REPO_URL is taken as it is, and the public
 * address comes, pinned by hash, from the same package index as the native libraries.
 */
export const mavenAddress = (mirror: string | undefined): string =>
  (mirror || published()).replace(/\/+$/, '')

const published = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-maven-'))
  const python = (...args: string[]): string =>
    execFileSync('python3', args, {
      encoding: 'utf8',
      timeout: DOWNLOAD_TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  try {
    const wanted = `${RESOLVER.name}==${RESOLVER.version}`
    python('-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', folder, wanted)
    const wheel = join(folder, `${RESOLVER.name}-${RESOLVER.version}-py3-none-any.whl`)
    const hash = createHash('sha256').update(readFileSync(wheel)).digest('hex')
    if (hash !== RESOLVER.sha256) throw new Error(`${wanted} has another SHA-256 than the pinned one`)
    return python('-c', PRINT_ADDRESS, wheel).trim()
  } catch (error) {
    throw new Failure(
      `The address of Maven Central could not be found: ${causeOf(error)}. Name a repository in MAVEN_REPO_URL.`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
