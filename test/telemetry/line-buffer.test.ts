import { execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LineBuffer } from '../../src/telemetry/line-buffer.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { eventually } from '../eventually.ts'

const lost = (count: number): string => `lost ${count}\n`
const source = JSON.stringify(new URL('../../src/telemetry/line-buffer.ts', import.meta.url).href)

const toFile = () => {
  const file = join(temporaryFolder('vouchsafe-lines'), 'log')
  const descriptor = openSync(file, 'w')
  return { buffer: new LineBuffer(descriptor, lost), descriptor, text: () => readFileSync(file, 'utf8') }
}

describe('a buffer of lines', () => {
  it('writes by itself before long', async () => {
    const { buffer, text } = toFile()
    buffer.write('a\n')
    expect(text()).toBe('')
    await eventually(() => expect(text()).toBe('a\n'))
    buffer[Symbol.dispose]()
  })

  it('writes each line once and in order, however it is flushed', async () => {
    const { buffer, text } = toFile()
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} ${'x'.repeat(index % 50)}\n`)
    for (const [index, line] of lines.entries()) {
      buffer.write(line)
      if (index % 500 === 0) await new Promise(setImmediate)
    }
    buffer[Symbol.dispose]()
    expect(text()).toBe(lines.join(''))
  })

  it('survives a descriptor that is closed', async () => {
    const { buffer, descriptor } = toFile()
    closeSync(descriptor)
    buffer.write('a\n')
    expect(() => buffer[Symbol.dispose]()).not.toThrow()
  })

  it('loses nothing when the process ends right after', () => {
    const program = `
      const { LineBuffer } = await import(${source})
      const buffer = new LineBuffer(1, () => '')
      for (let line = 0; line < 5000; line++) buffer.write('line ' + line + '\\n')
      buffer.flush()
      process.exit(0)`
    const out = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    })
    expect(out.trim().split('\n')).toEqual(Array.from({ length: 5_000 }, (_, line) => `line ${line}`))
  })

  it('ends a line that it has begun before the next, though the reader was slow', async () => {
    const program = `
      const { LineBuffer } = await import(${source})
      const buffer = new LineBuffer(1, () => 'lost\\n')
      for (let line = 0; line < 4000; line++) buffer.write('line ' + line + ' ' + 'x'.repeat(90) + ' end\\n')
      await new Promise((resolve) => setTimeout(resolve, 100))
      process.stderr.write('full')
      setTimeout(() => {
        buffer.write('crashed\\n')
        buffer.flush()
        process.exit(0)
      }, 300)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
    await new Promise((resolve) => child.stderr.once('data', resolve))
    let received = ''
    child.stdout.on('data', (text: Buffer) => {
      received += text.toString()
    })
    await new Promise((resolve) => child.once('close', resolve))
    const lines = received.trim().split('\n')
    expect(lines.filter((line) => !/^line \d+ x{90} end$/.test(line))).toEqual(['crashed'])
    expect(lines).toHaveLength(4_001)
  })

  it('goes on when nobody reads, within its memory, and says later how much was lost', async () => {
    const program = `
      const { LineBuffer } = await import(${source})
      const buffer = new LineBuffer(1, (count) => 'lost ' + count + '\\n')
      const line = 'x'.repeat(999) + '\\n'
      for (let count = 0; count < 40_000; count++) {
        buffer.write(line)
        if (count % 100 === 0) await new Promise(setImmediate)
      }
      process.stderr.write('alive ' + (process.memoryUsage.rss() < 300e6))
      process.stdin.once('data', () => process.stdin.destroy())
      process.stdin.resume()`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
    const said = await new Promise<string>((resolve) =>
      child.stderr.once('data', (text: Buffer) => resolve(text.toString())),
    )
    expect(said).toBe('alive true')
    let received = ''
    child.stdout.on('data', (text: Buffer) => {
      received += text.toString()
    })
    await eventually(() => expect(received).toMatch(/\nlost \d+\n/))
    child.kill('SIGKILL')
  })
})
