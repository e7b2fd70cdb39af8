import { hash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { zipEntries } from '../../bootstrap/archives.mjs'
import { causeOf, Failure } from '../../bootstrap/failure.mjs'
import { downloadWheel } from '../../bootstrap/wheel.mjs'

/** The Maven resolver of the Python world; its wheel is a stated place that says where Maven Central is. */
const RESOLVER = { wheel: 'jgo', version: '3.2.0', wheelPlatform: 'any' }
const SHA256 = 'a7a255b9dba13a9397d4a1c8937ad820699c6b8131cef1b8844c2016038d189e'

/**
 * Where Maven Central is. No host stands in these sources: a mirror in MAVEN_REPO_URL is used as it is, and the public
 * address comes, pinned by hash, from the same package index as the native libraries.
 */
export const mavenAddress = async (mirror: string | undefined): Promise<string> =>
  (mirror || (await published())).replace(/\/+$/, '')

const published = async (): Promise<string> => {
  try {
    const wheel = await downloadWheel(RESOLVER, tmpdir())
    if (hash('sha256', wheel) !== SHA256)
      throw new Error(`${RESOLVER.wheel} ${RESOLVER.version} has another SHA-256 than the pinned one`)
    const constants = zipEntries(wheel).find(({ name }) => name === 'jgo/constants.py')
    const found = /^MAVEN_CENTRAL_URL = "(https:\/\/[^"]+)"$/m.exec(constants?.read().toString() ?? '')
    if (found?.[1] === undefined) throw new Error('its wheel does not name it')
    return found[1]
  } catch (error) {
    throw new Failure(
      `The address of Maven Central could not be found: ${causeOf(error)}. Name a repository in MAVEN_REPO_URL.`,
    )
  }
}
