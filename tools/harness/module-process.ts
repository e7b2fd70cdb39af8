import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Child } from './child.ts'
import type { Answer, Call, ModuleMessage, Usage } from './module-host.ts'

type Functions<Module> = {
  [Name in keyof Module]: Module[Name] extends (...input: never[]) => unknown ? Name : never
}[keyof Module] &
  string

type Input<Exported> = Exported extends (...input: infer Inputs) => unknown ? Inputs : never
type Output<Exported> = Exported extends (...input: never[]) => infer Value ? Awaited<Value> : never

export type Called<Value> = {
  readonly value: Value
  readonly wallMs: number
  /** User and system time that the whole process spent during this call. */
  readonly cpuMs: number
}

export type ProcessOptions = {
  readonly env?: Readonly<Record<string, string>>
  /** Arguments for Node, such as `--expose-gc`. */
  readonly nodeArgs?: readonly string[]
  /** Throw away what it writes to stdout, such as access logs; otherwise that appears on our stderr. */
  readonly silent?: boolean
  /** A call that takes longer fails and the process is killed. */
  readonly callTimeoutMs?: number
  /** What the module says by `sendToStarter`, in order. */
  readonly onMessage?: (message: unknown) => void
}

const hostFile = fileURLToPath(new URL('./module-host.ts', import.meta.url))
const defaultCallTimeoutMs = 300_000
const exitTimeoutMs = 5_000

/**
 * A module in a process of its own, its exported functions called by name: load generators, baselines, subjects, nodes
 * and phones, so that none pays for another's work. Inputs and results are structured-cloned.
 *
 *     const load = await open(startProcess<typeof import('./load/http.ts')>(new URL('./load/http.ts', import.meta.url)))
 *     const { value, cpuMs } = await load.call('run', { port })
 */
export async function startProcess<Module>(
  file: URL,
  options: ProcessOptions = {},
): Promise<ModuleProcess<Module>> {
  const started = new ModuleProcess<Module>(file, options)
  try {
    await started.usage()
  } catch (error) {
    await started[Symbol.asyncDispose]()
    throw error
  }
  return started
}

export class ModuleProcess<Module> extends Child {
  readonly #file: string
  readonly #callTimeoutMs: number
  readonly #waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  #calls = 0

  constructor(file: URL, options: ProcessOptions = {}) {
    const { env, nodeArgs = [], silent = false, onMessage } = options
    const child = fork(hostFile, [file.href], {
      env: { ...process.env, ...env },
      execArgv: [...process.execArgv, ...nodeArgs],
      serialization: 'advanced',
      // Our own stdout ends with the JSON line.
      stdio: ['ignore', silent ? 'ignore' : 2, 2, 'ipc'],
    })
    super(child)
    this.#file = fileURLToPath(file)
    this.#callTimeoutMs = options.callTimeoutMs ?? defaultCallTimeoutMs
    child.on('message', (received: Answer | ModuleMessage) => {
      if ('message' in received) onMessage?.(received.message)
      else this.#waiting.get(received.id)?.resolve(received)
    })
    void this.ended.then(({ code, signal }) =>
      this.#failAll(`${this.#file} ended early (${signal ?? `exit code ${code}`})`),
    )
  }

  async call<Name extends Functions<Module>>(
    name: Name,
    ...input: Input<Module[Name]>
  ): Promise<Called<Output<Module[Name]>>> {
    const { value, wallMs, cpuMs } = await this.#ask(name, input)
    return { value: value as Output<Module[Name]>, wallMs, cpuMs }
  }

  /** Processor time since the start of the process, and its memory now. */
  async usage(): Promise<Usage> {
    return (await this.#ask(null, [])).value as Usage
  }

  /** The process ends by itself when its channel closes, unless it is frozen. */
  override abandon(): void {
    this.thaw()
  }

  /** The channel is closed, upon which the process runs its exit handlers and ends. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.connected) this.child.disconnect()
    await this.endedWithin(exitTimeoutMs)
  }

  async #ask(name: Call['name'], input: Call['input']): Promise<Answer> {
    const id = ++this.#calls
    const label = name ?? 'usage'
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#waiting.set(id, { resolve, reject })
    const timer = setTimeout(() => {
      this.#failAll(`${label} of ${this.#file} took longer than ${this.#callTimeoutMs} ms`)
      this.kill()
    }, this.#callTimeoutMs)
    try {
      this.child.send({ id, name, input } satisfies Call, (error) => error && reject(error))
      const answer = await promise
      if (answer.error !== undefined) throw new Error(`${label} of ${this.#file} failed: ${answer.error}`)
      return answer
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(id)
    }
  }

  #failAll(reason: string): void {
    for (const waiting of this.#waiting.values()) waiting.reject(new Error(reason))
  }
}
