import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cacheFolder } from '../../bootstrap/cache-folder.mjs'
import { finished, nextLine, repository, smallProject } from './small-project.ts'
import { closedAtEnd } from '../closed-at-end.ts'

const sharedCache = { VOUCHSAFE_CACHE_FOLDER: cacheFolder() }

const COUNTS_SIGNALS = `
let count = 0
process.on('SIGTERM', () => {
  count += 1
  setTimeout(() => { console.log('signals', count); process.exit(7) }, 300)
})
setInterval(() => {}, 1_000)
console.log('ready')
`

describe('a start with everything in place', () => {
  it('runs the TypeScript on Node 22 with the libraries named, and says nothing of its own', async () => {
    const project = closedAtEnd(smallProject())
    project.write(
      'show.ts',
      'const line: string[] = [process.version, process.env.LIB_ANONCREDS_PATH!, ...process.argv.slice(2)]\nconsole.log(line.join(" "))',
    )
    const { code, stdout, stderr } = await project.run('show.ts', sharedCache)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^v22\.\S+ \S+natives\/[0-9a-f]{16} one two\n$/)
  })

  it('ends with the code of the script', async () => {
    const project = closedAtEnd(smallProject())
    project.write('end.ts', 'process.exit(42)')
    expect((await project.run('end.ts', sharedCache)).code).toBe(42)
  })

  it('dies of the signal its script died of', async () => {
    const project = closedAtEnd(smallProject())
    project.write('end.ts', "process.kill(process.pid, 'SIGTERM')\nsetInterval(() => {}, 1_000)")
    expect((await project.run('end.ts', sharedCache)).signal).toBe('SIGTERM')
  })

  it('hands a SIGTERM on once, even when an outer npm repeats it', async () => {
    const project = closedAtEnd(smallProject())
    project.write('wait.ts', COUNTS_SIGNALS)
    const child = project.begin('wait.ts', sharedCache)
    await nextLine(child)
    const end = finished(child)
    child.kill('SIGTERM')
    child.kill('SIGTERM')
    expect(await end).toMatchObject({ code: 7, stdout: 'signals 1\n' })
  })
})

describe('a start that cannot go on', () => {
  it('names a script that is not there', async () => {
    const child = spawn(process.execPath, [join(repository, 'bootstrap', 'run.mjs'), 'no/such.ts'])
    const { code, stderr } = await finished(child)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'There is no no/such.ts in this copy of Vouchsafe: check the name, or fetch the whole repository again.\n',
    })
  })

  it('asks for a newer Node before it touches anything else', async () => {
    const project = closedAtEnd(smallProject())
    project.write('show.ts', '')
    const old = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.20.0'})"
    const { code, stderr } = await project.run('show.ts', {}, ['--import', old])
    expect(code).toBe(1)
    expect(stderr).toBe(
      'Vouchsafe needs Node 20 or newer to start, and this is Node 18.20.0: install a newer Node and start again.\n',
    )
  })

  it('says in one sentence that a library is missing where a variable points', async () => {
    const project = closedAtEnd(smallProject())
    project.write('show.ts', '')
    const { code, stderr } = await project.run('show.ts', { ...sharedCache, LIB_INDY_VDR_PATH: project.home })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^LIB_INDY_VDR_PATH names \S+, and there is no libindy_vdr\.\w+ in it: correct .*\n$/,
    )
  })
})
