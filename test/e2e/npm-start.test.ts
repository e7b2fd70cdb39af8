import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { RawSocket } from '../contract/http/raw-socket.ts'
import { temporaryFolder } from '../temporary-folder.ts'

it('npm start serves, and a SIGTERM to npm stops the service in good order', async () => {
  const npm = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: {
      ...process.env,
      PORT: '0',
      VOUCHSAFE_PRIVATE_PORT: '0',
      VOUCHSAFE_DATA_FOLDER: join(temporaryFolder('vouchsafe-npm'), 'data'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', err: '' }
  npm.stdout.on('data', (chunk: Buffer) => {
    output.out += chunk.toString()
  })
  const url = await new Promise<string>((resolve, reject) => {
    npm.once('close', () => reject(new Error(output.err)))
    npm.stderr.on('data', (chunk: Buffer) => {
      output.err += chunk.toString()
      const found = /listens on (http\S+)/.exec(output.err)
      if (found?.[1] !== undefined) resolve(found[1])
    })
  })
  expect(await (await fetch(`${url}/v1/health`)).json()).toEqual({ status: 'ok' })
  const ended = new Promise<number | null>((resolve) => void npm.once('close', resolve))
  npm.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(output.out).toContain('"event":"service.stopped"')
  await expect(RawSocket.open(Number(new URL(url).port))).rejects.toThrow('ECONNREFUSED')
})
