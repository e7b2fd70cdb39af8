import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { AnonCredsRefused, AnonCredsUnavailable, type DefinitionInput } from '../ports/anoncreds.ts'
import type { DefinitionAnswer, DefinitionOrder } from './definition-process.ts'
import { FairQueue } from './fair-queue.ts'
import type { EngineChoice } from './selection.ts'

export type Made = Extract<DefinitionAnswer, { kind: 'made' }>

type Waiting = {
  readonly input: DefinitionInput
  readonly begun: () => void
  readonly resolve: (made: Made) => void
  readonly reject: (error: Error) => void
}

export type DefinitionGeneratorSettings = {
  readonly engine: EngineChoice
  readonly queueMax: number
  readonly timeoutMs: number
  /** Called with how many wait, and whether one is being made. */
  readonly changed?: (waiting: number, isRunning: boolean) => void
}

const processFile = fileURLToPath(new URL('./definition-process.ts', import.meta.url))

/** Generates one definition after another, each in a new process of low priority that ends with it. */
export class DefinitionGenerator implements AsyncDisposable {
  readonly #settings: DefinitionGeneratorSettings
  readonly #queue: FairQueue<Waiting>
  #child: ChildProcess | null = null
  #closing = false

  constructor(settings: DefinitionGeneratorSettings) {
    this.#settings = settings
    this.#queue = new FairQueue(settings.queueMax)
  }

  async generate(
    tenantId: string,
    input: DefinitionInput,
    begun: () => void = () => undefined,
  ): Promise<Made> {
    if (this.#closing) throw new AnonCredsUnavailable('key generation is closing')
    return await new Promise<Made>((resolve, reject) => {
      this.#queue.push(tenantId, { input, begun, resolve, reject })
      this.#startNext()
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true
    for (const waiting of this.#queue.drain())
      waiting.reject(new AnonCredsUnavailable('key generation is closing'))
    this.#child?.kill('SIGKILL')
    return Promise.resolve()
  }

  #startNext(): void {
    const next = this.#child === null ? this.#queue.shift() : undefined
    if (next) this.#make(next)
    this.#settings.changed?.(this.#queue.waiting, this.#child !== null)
  }

  #make({ input, begun, resolve, reject }: Waiting): void {
    begun()
    // Inherited debugging flags would compete for one port, and inherited output would mix with the log.
    const child = fork(processFile, [], { execArgv: [], stdio: 'ignore', serialization: 'advanced' })
    this.#child = child
    lowerPriority(child)
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#settings.timeoutMs)
    let answered: DefinitionAnswer | null = null
    child.once('message', (message) => {
      answered = message as DefinitionAnswer
    })
    let settled = false
    const end = (): void => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      this.#child = null
      settle(answered, resolve, reject)
      this.#startNext()
    }
    child.once('error', end)
    // No message can follow 'close', which also comes for a killed process.
    child.once('close', end)
    const order: DefinitionOrder = { input, engine: this.#settings.engine }
    child.send(order, () => undefined)
  }
}

const settle = (
  answer: DefinitionAnswer | null,
  resolve: (made: Made) => void,
  reject: (error: Error) => void,
): void => {
  if (answer?.kind === 'made') resolve(answer)
  else if (answer?.refused) reject(new AnonCredsRefused(answer.reason.replace('invalid: ', '')))
  else reject(new AnonCredsUnavailable(answer?.reason ?? 'key generation was interrupted'))
}

const lowerPriority = (child: ChildProcess): void => {
  if (child.pid === undefined) return
  try {
    setPriority(child.pid, constants.priority.PRIORITY_LOW)
  } catch {
    // The process ended already, or the system does not allow it; generation works at any priority.
  }
}
