// @ts-check
import { Failure } from './failure.mjs'

/** @typedef {'linux-x64' | 'linux-arm64' | 'darwin-arm64'} Platform */

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64']

/**
 * The pinned libraries are linked against glibc, so a Linux without it is as unsupported as another processor.
 * @returns {Platform}
 */
export const supportedPlatform = (
  system = process.platform,
  processor = process.arch,
  glibc = hasGlibc(system),
) => {
  const name = `${system}-${processor}`
  if (!PLATFORMS.includes(name)) {
    throw new Failure(
      `Vouchsafe runs on ${PLATFORMS.join(', ')}, and this is ${name}: use one of those machines, or the Docker image.`,
    )
  }
  if (system === 'linux' && !glibc) {
    throw new Failure(
      'Vouchsafe needs a Linux with glibc, and this one has another C library (Alpine?): use Debian, Ubuntu, Fedora or the Docker image.',
    )
  }
  return /** @type {Platform} */ (name)
}

/** @param {string} system */
const hasGlibc = (system) => {
  if (system !== 'linux') return true
  // Without this the report looks up every network interface, which takes seconds where name resolution is broken.
  const report = process.report
  Object.assign(report, { excludeNetwork: true })
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (
    /** @type {unknown} */ (report.getReport())
  )
  return header.glibcVersionRuntime !== undefined
}
