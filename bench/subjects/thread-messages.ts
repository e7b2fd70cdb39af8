// Counts what the main thread and the others say to each other, from the moment this file is loaded.
import { readdirSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import threads, { MessagePort } from 'node:worker_threads'

export type Messages = { readonly toThreads: number; readonly fromThreads: number; readonly bytes: number }
/** Processor time and voluntary waits, since the thread began. */
export type ThreadUse = { readonly cpuMs: number; readonly waits: number }

const counted = { toThreads: 0, fromThreads: 0, bytes: 0 }
const scriptOf = new Map<string, string>()
let measuresBytes = false

/** Bytes are what the clone of a message takes. It is made once more for that, so processor time is measured without. */
export function measureBytes(measures: boolean): void {
  measuresBytes = measures
}

export const messagesSoFar = (): Messages => ({ ...counted })

/** By the script of the thread; those without one are V8's and libuv's. */
export function threadUse(): Readonly<Record<string, ThreadUse>> {
  const use: Record<string, ThreadUse> = {}
  for (const id of readdirSync('/proc/self/task')) {
    const name = scriptOf.get(id) ?? (id === String(process.pid) ? 'main' : 'others')
    const known = use[name] ?? { cpuMs: 0, waits: 0 }
    const now = useOf(id)
    use[name] = { cpuMs: known.cpuMs + now.cpuMs, waits: known.waits + now.waits }
  }
  return use
}

const useOf = (id: string): ThreadUse => {
  const [runNs] = readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8').split(' ')
  const status = readFileSync(`/proc/self/task/${id}/status`, 'utf8')
  const waits = /^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1]
  return { cpuMs: Number(runNs) / 1e6, waits: Number(waits) }
}

const note = (direction: 'toThreads' | 'fromThreads', message: unknown): void => {
  counted[direction]++
  if (!measuresBytes) return
  try {
    counted.bytes += serialize(message).byteLength
  } catch {
    // A port in a message cannot be written down; it is sent once, when its thread begins.
  }
}

const send = Reflect.get(MessagePort.prototype, 'postMessage') as (...input: unknown[]) => void
const listen = Reflect.get(MessagePort.prototype, 'on') as (...input: unknown[]) => unknown

// A worker sends and listens by a port of its own.
Object.assign(MessagePort.prototype, {
  postMessage(this: MessagePort, ...input: unknown[]): void {
    note('toThreads', input[0])
    Reflect.apply(send, this, input)
  },
  on(this: MessagePort, name: string, listener: (message: unknown) => void): unknown {
    const heard = (message: unknown): void => {
      note('fromThreads', message)
      listener(message)
    }
    return Reflect.apply(listen, this, [name, name === 'message' ? heard : listener])
  },
})

class CountedWorker extends threads.Worker {
  constructor(file: string | URL, options?: threads.WorkerOptions) {
    const before = new Set(readdirSync('/proc/self/task'))
    super(file, options)
    const script = basename(file instanceof URL ? fileURLToPath(file) : file).replace(/\.[jt]s$/, '')
    for (const id of readdirSync('/proc/self/task')) if (!before.has(id)) scriptOf.set(id, script)
  }
}

Object.assign(threads, { Worker: CountedWorker })
syncBuiltinESMExports()
