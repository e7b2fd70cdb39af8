import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type StartedServer, serversFile } from '../../tools/infra/servers-file.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = temporaryFolder('vouchsafe-servers-file')
const path = join(folder, 'servers.json')
const file = serversFile(folder)

const server: StartedServer = { kind: 'kafka', pid: 1, mark: 'm', endpoint: '127.0.0.1:1', logFile: 'log' }

describe('the file of started servers', () => {
  it('keeps what was put, and goes with the last server', () => {
    file.put('kafka', [server])
    expect([file.of('kafka'), file.of('cassandra')]).toEqual([[server], []])
    expect(readdirSync(folder)).toEqual(['servers.json'])
    file.put('kafka', [])
    expect(readdirSync(folder)).toEqual([])
  })

  it.each(['[{"kind": "kafka", "pid"', '', 'null', '[null]', '[{"kind": "kafka", "pid": "1"}]'])(
    'that holds %j is refused with its name and its mend',
    (text) => {
      writeFileSync(path, text)
      expect(() => file.of('kafka')).toThrow(
        `${path} is damaged, so it is not known which servers were started: end`,
      )
    },
  )

  it('stops status and down with that one sentence', async () => {
    const copy = join(folder, 'copy')
    for (const part of ['bootstrap', 'src', 'tools/infra', 'tools/harness']) {
      cpSync(join(root, part), join(copy, part), { recursive: true })
    }
    cpSync(join(root, 'package.json'), join(copy, 'package.json'))
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    mkdirSync(join(copy, '.infra'))
    writeFileSync(join(copy, '.infra', 'servers.json'), '[{"kind"')
    for (const command of ['status', 'down']) {
      const ended = promisify(execFile)(process.execPath, [join(copy, 'tools/infra/main.ts'), command])
      await expect(ended).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^(.*ExperimentalWarning.*\n.*\n)?\S+servers\.json is damaged, .*\n$/,
        ) as string,
      })
    }
  })
})
