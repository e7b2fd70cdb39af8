import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

type Run = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

/** A project of its own around a copy of the real bootstrap: another lock file, another home, the same code. */
export const smallProject = (options: { installed?: boolean; lock?: object; manifest?: object } = {}) => {
  const root = mkdtempSync(join(tmpdir(), 'vouchsafe-bootstrap-'))
  const home = join(root, 'home')
  mkdirSync(home)
  cpSync(join(repository, 'bootstrap'), join(root, 'bootstrap'), { recursive: true })
  if (options.installed ?? true) {
    cpSync(join(repository, 'package-lock.json'), join(root, 'package-lock.json'))
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
  } else {
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify(options.lock))
    writeFileSync(join(root, 'package.json'), JSON.stringify(options.manifest))
  }
  const write = (name: string, text: string) => writeFileSync(join(root, name), text)
  const begin = (script: string, more: Record<string, string> = {}, flags: string[] = []): ChildProcess =>
    spawn(process.execPath, [...flags, join(root, 'bootstrap', 'run.mjs'), script, 'one', 'two'], {
      cwd: root,
      env: { ...withoutNatives(), HOME: home, XDG_CACHE_HOME: '', ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return {
    root,
    home,
    write,
    begin,
    run: (script: string, more: Record<string, string> = {}, flags: string[] = []) =>
      finished(begin(script, more, flags)),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

const withoutNatives = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^LIB_\w+_PATH$/.test(name)))

export const finished = (child: ChildProcess): Promise<Run> =>
  new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    child.stdout?.on('data', (chunk) => (stdout += chunk))
    child.stderr?.on('data', (chunk) => (stderr += chunk))
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })

export const nextLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stdout?.once('data', (chunk) => resolve(String(chunk).trim()))
    child.once('close', () => reject(new Error('it ended without a line')))
  })
