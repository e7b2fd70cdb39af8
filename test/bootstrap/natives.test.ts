import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { cacheFolder } from '../../bootstrap/cache-folder.mjs'
import { ensureNatives, pinned } from '../../bootstrap/natives.mjs'
import { supportedPlatform } from '../../bootstrap/platform.mjs'
import { smallProject } from './small-project.ts'
import { closedAtEnd } from '../closed-at-end.ts'

const platform = supportedPlatform()
const WHEEL = `
import sys, zipfile
folder, name, version, tag, package, library = sys.argv[1:]
info = f"{name.replace('-', '_')}-{version}"
with zipfile.ZipFile(f"{folder}/{info}-py3-none-{tag}.whl", "w", zipfile.ZIP_STORED) as wheel:
    wheel.write(library, f"{package}/" + library.rsplit("/", 1)[1])
    wheel.writestr(f"{info}.dist-info/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
    wheel.writestr(f"{info}.dist-info/WHEEL", f"Wheel-Version: 1.0\\nRoot-Is-Purelib: false\\nTag: py3-none-{tag}\\n")
    wheel.writestr(f"{info}.dist-info/RECORD", "")
`

/** Rights mean nothing to root, who therefore becomes somebody else once everything is loaded. */
const AS_NOBODY = `
const [natives, folder] = process.argv.slice(1)
const { ensureNatives } = await import(natives)
if (process.getuid() === 0) process.setgroups([]), process.setgid(65534), process.setuid(65534)
await ensureNatives('${platform}', { VOUCHSAFE_CACHE_FOLDER: folder }).then(
  (variables) => console.log(JSON.stringify(variables)),
  (error) => console.log(error.message),
)
`

/** A cache of its own with the verified libraries in it, upstream out of reach, and an index with one wheel. */
const cached = (project: ReturnType<typeof smallProject>) => {
  const pins = join(project.root, 'bootstrap', 'natives.json')
  writeFileSync(pins, readFileSync(pins, 'utf8').replaceAll('https://github.com', 'http://127.0.0.1:9'))
  const folder = join(project.home, 'cache')
  cpSync(join(cacheFolder(), 'natives'), join(folder, 'natives'), { recursive: true })
  const [library] = pinned.libraries
  if (library === undefined) throw new Error('no library is pinned')
  const pin = library.platforms[platform]
  const path = join(folder, 'natives', pin.sha256.slice(0, 16), pin.file)
  const wheels = join(project.home, 'wheels')
  mkdirSync(wheels)
  const packWheel = () => {
    const facts = [wheels, library.wheel, library.version, pin.wheelPlatform, library.folderInWheel, path]
    execFileSync('python3', ['-c', WHEEL, ...facts])
  }
  const environment = {
    PIP_NO_INDEX: '1',
    PIP_CONFIG_FILE: '/dev/null',
    PIP_FIND_LINKS: wheels,
    VOUCHSAFE_CACHE_FOLDER: folder,
  }
  return { pin, path, packWheel, run: () => project.run('show.ts', environment) }
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

beforeAll(
  () => ensureNatives(platform, { ...process.env, LIB_ANONCREDS_PATH: '', LIB_INDY_VDR_PATH: '' }),
  120_000,
)

describe('a damaged library in the cache', () => {
  it('is fetched again from the wheel, checked and put in its place', async () => {
    const project = closedAtEnd(smallProject())
    project.write('show.ts', 'console.log("ran")')
    const { pin, path, packWheel, run } = cached(project)
    packWheel()
    truncateSync(path, 1_000_000)
    const { code, stdout, stderr } = await run()
    expect(stderr).toContain(`${path} is damaged (its SHA-256 is not the pinned one); fetching it again.\n`)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ran\n' })
    expect(hashOf(path)).toBe(pin.sha256)
    expect(readdirSync(dirname(path))).toEqual([pin.file])
  }, 240_000)

  it('is not replaced by another one that the package index offers', async () => {
    const project = closedAtEnd(smallProject())
    project.write('show.ts', 'console.log("ran")')
    const { pin, path, packWheel, run } = cached(project)
    writeFileSync(path, 'something else')
    packWheel()
    const { code, stdout, stderr } = await run()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`does not hold the ${pin.file} that is pinned in bootstrap/natives.json`)
  }, 240_000)

  it('stops the start with cause and mend when it cannot be fetched', async () => {
    const project = closedAtEnd(smallProject())
    project.write('show.ts', 'console.log("ran")')
    const { path, run } = cached(project)
    truncateSync(path, 1_000_000)
    const { code, stdout, stderr } = await run()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    // On a busy machine a line of progress comes between.
    expect(stderr).toMatch(
      / is damaged .*\n(Fetching .*\n)+pip could not fetch anoncreds==\S+: the package index has no such wheel .*\n$/,
    )
  }, 240_000)
})

describe('a cache', () => {
  it('with a folder in the place of a library stops the start, and says what to remove', async () => {
    const project = closedAtEnd(smallProject())
    project.write('show.ts', 'console.log("ran")')
    const { path, run } = cached(project)
    rmSync(path)
    mkdirSync(path)
    expect(await run()).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${path} is a folder, and the library itself belongs there: remove it (rm -r ${path}) and start again.\n`,
    })
  })

  it('that is whole is used where nobody may write, and one with a gap is refused in a sentence', () => {
    const project = closedAtEnd(smallProject())
    const { path } = cached(project)
    const folder = join(project.home, 'cache')
    for (const open of [project.root, project.home]) chmodSync(open, 0o755)
    chmodSync(folder, 0o555)
    const natives = pathToFileURL(join(project.root, 'bootstrap', 'natives.mjs')).href
    const ensure = () =>
      execFileSync(process.execPath, ['--input-type=module', '--eval', AS_NOBODY, natives, folder], {
        encoding: 'utf8',
      })
    expect(ensure()).toContain(dirname(path))
    rmSync(path)
    expect(ensure()).toMatch(/^VOUCHSAFE_CACHE_FOLDER names .*this user may not write there: mend the rights/)
  })
})

describe('two starts with an empty cache', () => {
  it('leave one whole file behind', async () => {
    const project = closedAtEnd(smallProject())
    project.write('show.ts', 'console.log("ran")')
    const { pin, path, packWheel, run } = cached(project)
    packWheel()
    rmSync(path)
    const runs = await Promise.all([run(), run()])
    expect(runs.map(({ code }) => code)).toEqual([0, 0])
    expect(hashOf(path)).toBe(pin.sha256)
    expect(readdirSync(dirname(path))).toEqual([pin.file])
  }, 240_000)
})
