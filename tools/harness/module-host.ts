// The other side of module-process.ts: imports the module named in its argument and answers calls to its functions.
import { flushCompileCache } from 'node:module'

export type Call = {
  readonly id: number
  /** Of the function; null asks for the usage of the process. */
  readonly name: string | null
  readonly input: readonly unknown[]
}

export type Answer = {
  readonly id: number
  readonly value: unknown
  readonly error: string | undefined
  readonly wallMs: number
  readonly cpuMs: number
}

export type ModuleMessage = { readonly message: unknown }

export type Usage = {
  readonly cpuMs: number
  readonly rssBytes: number
  readonly heapBytes: number
  readonly externalBytes: number
}

/** Sends a message to the process that started this one, beside the answers to its calls. */
export function sendToStarter(message: unknown): void {
  if (process.connected) process.send?.({ message } satisfies ModuleMessage)
}

type AnyFunction = (...input: readonly unknown[]) => unknown

const moduleUrl = process.argv[2]

if (process.send && moduleUrl) {
  const module = (import(moduleUrl) as Promise<unknown>).then((loaded) => {
    // One that is killed would leave nothing of it to the next.
    flushCompileCache()
    return loaded as Record<string, unknown>
  })
  // The first call reports that a module cannot be loaded.
  module.catch(() => undefined)
  process.on('message', (message) => void answerCall(module, message as Call))
  process.on('disconnect', () => process.exit(0))
  // By way of process.exit, so that the module's own exit handlers run.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
}

async function answerCall(
  loading: Promise<Record<string, unknown>>,
  { id, name, input }: Call,
): Promise<void> {
  let cpuAtStart = process.cpuUsage()
  let wallAtStart = performance.now()
  let value: unknown
  let error: string | undefined
  try {
    const module = await loading
    cpuAtStart = process.cpuUsage()
    wallAtStart = performance.now()
    value = name === null ? usage() : await functionOf(module, name)(...input)
  } catch (failure) {
    error = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  }
  const cpu = process.cpuUsage(cpuAtStart)
  const answer: Answer = {
    id,
    value,
    error,
    wallMs: performance.now() - wallAtStart,
    cpuMs: (cpu.user + cpu.system) / 1_000,
  }
  process.send?.(answer)
}

function functionOf(module: Record<string, unknown>, name: string): AnyFunction {
  const found = module[name]
  if (typeof found !== 'function') throw new Error(`the module exports no function "${name}"`)
  return found as AnyFunction
}

function usage(): Usage {
  const cpu = process.cpuUsage()
  const memory = process.memoryUsage()
  return {
    cpuMs: (cpu.user + cpu.system) / 1_000,
    rssBytes: memory.rss,
    heapBytes: memory.heapUsed,
    externalBytes: memory.external,
  }
}
