// npm leaves a platform's package out of the lock when the registry it asked does not carry it, and `npm ci` then
// refuses that lock everywhere. This adds the missing entries: name, exact version and platform, without a hash.
import { readFileSync, writeFileSync } from 'node:fs'

type Entry = {
  version?: string
  cpu?: string[]
  dev?: boolean
  libc?: string[]
  optional?: boolean
  os?: string[]
  optionalDependencies?: Record<string, string>
}
export type Packages = Record<string, Entry>

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64']

/** Optional dependencies without an entry anywhere up the folder they would be looked for from. */
export const missingOptional = (packages: Packages): { name: string; version: string; dev: boolean }[] =>
  Object.entries(packages).flatMap(([folder, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !found(packages, folder, name))
      .map(([name, version]) => ({ name, version, dev: entry.dev === true })),
  )

const found = (packages: Packages, folder: string, name: string): boolean => {
  const segments = folder.split('/node_modules/')
  const above = segments.map((_, index) => segments.slice(0, segments.length - index).join('/node_modules/'))
  return [...above.filter(Boolean), ''].some((at) => `${at ? `${at}/` : ''}node_modules/${name}` in packages)
}

export const completed = (packages: Packages): Packages => {
  const added = missingOptional(packages).map(({ name, version, dev }): [string, Entry] => {
    const words = name.split(/[-/]/)
    const os = SYSTEMS.filter((system) => words.includes(system))
    const cpu = PROCESSORS.filter((processor) => words.includes(processor))
    if (!/^\d+\.\d+\.\d+[^ ]*$/.test(version) || os.length !== 1 || cpu.length !== 1) {
      throw new Error(
        `${name}@${version} is missing from package-lock.json and its name does not tell its platform: add it by hand`,
      )
    }
    const libc = words.includes('musl')
      ? { libc: ['musl'] }
      : words.includes('gnu')
        ? { libc: ['glibc'] }
        : {}
    return [`node_modules/${name}`, { version, cpu, ...(dev ? { dev } : {}), ...libc, optional: true, os }]
  })
  const all = [...Object.entries(packages), ...added]
  return Object.fromEntries(all.sort(([left], [right]) => left.localeCompare(right, 'en')))
}

if (import.meta.main) {
  const path = new URL('../package-lock.json', import.meta.url)
  const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Packages }
  const missing = missingOptional(lock.packages)
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: completed(lock.packages) }, null, 2)}\n`)
  console.log(`${missing.length} entries added to package-lock.json`)
}
