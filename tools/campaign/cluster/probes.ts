import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Json } from '../../flows/tenant.ts'
import type { Answer, Caller } from '../idempotency/caller.ts'
import type { Command } from '../idempotency/commands.ts'
import { judge, noCounts } from '../idempotency/verdict.ts'
import { type Behind, noteAttempt, type Requests } from './requests.ts'

/** So many equal requests at once, and so many reads: some for each node. */
const EQUAL = 4
const READS = 3
const RETRY_MS = 250
const LISTS_LIMIT_MS = 60_000
const BETWEEN_MS = 400
/** A claim on a key that a node ahead has made and not closed counts as alive for ten minutes more at one behind. */
const INSIST_LIMIT_MS = 15 * 60_000

const shared = { keyOf: () => randomUUID(), createdStatus: 201 }
const invitations = {
  ...shared,
  name: 'invitation',
  path: '/v1/connections/invitations',
  idOf: ({ invitationId }: Json) => String(invitationId),
  kind: 'inv',
  ownRule: false,
}
const wallets = {
  ...shared,
  name: 'wallet',
  path: '/v1/wallets',
  idOf: ({ id }: Json) => String(id),
  kind: 'wal',
  ownRule: true,
}

/**
 * An organisation's backend that trusts nobody: what it makes it asks for several times at once, and what was answered
 * it looks for at every node, by its id and in lists, at once and again after it was taken back.
 */
export class Probes {
  readonly #caller: Caller
  readonly #requests: Requests
  readonly #over = new AbortController()
  readonly counts = noCounts()
  readonly problems: string[] = []
  /** What was made under each key. */
  readonly made = { inv: new Set<string>(), wal: new Set<string>() }
  /** What was not in a list yet when it was looked for. */
  readonly behind: Behind[] = []
  reads = 0
  /** From the first attempt to the answer that counts. */
  longestMs = 0

  constructor(caller: Caller, requests: Requests) {
    this.#caller = caller
    this.#requests = requests
  }

  async run(lane: string): Promise<void> {
    const { signal } = this.#over
    for (let number = 1; !signal.aborted; number++) {
      const externalId = `probe-${lane}-${number}`
      try {
        await this.#make({ ...invitations, body: { externalId } })
        await this.#walletAndBack(externalId)
      } catch (error) {
        this.problems.push(`${externalId}: ${error instanceof Error ? error.message : String(error)}`)
      }
      await pause(BETWEEN_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  stop(): void {
    this.#over.abort()
  }

  async #walletAndBack(externalId: string): Promise<void> {
    const id = await this.#make({ ...wallets, body: { externalId } })
    const listed = `/v1/wallets?externalId=${externalId}`
    await this.#reads(`/v1/wallets/${id}`, (found) => found['status'] === 'pending')
    await this.#lists(listed, isOne(id))
    await this.#insist(`DELETE /v1/wallets/${id}`, () => this.#caller.ask('DELETE', `/v1/wallets/${id}`))
    await this.#reads(`/v1/wallets/${id}`, (found) => found['status'] === 'revoked')
    await this.#lists(`${listed}&status=revoked`, isOne(id))
    await this.#lists(`${listed}&status=pending`, ({ total }) => total === 0)
  }

  async #make(command: Command): Promise<string> {
    const key = command.keyOf(0)
    const what = `POST ${command.path}`
    const attempt = () => this.#noted(what, () => this.#caller.post(command, key))
    const answers = await Promise.all(Array.from({ length: EQUAL }, attempt))
    answers.push(await this.#insist(what, () => this.#caller.post(command, key)))
    const answered = answers.map((answer) => (answer?.status === 502 ? null : answer))
    const { id, problems } = judge(command, answered, true, this.counts)
    this.problems.push(...problems.map((problem) => `${command.name} ${key}: ${problem}`))
    if (id === null) throw new Error(`no ${command.name} was made`)
    this.made[command.kind as 'inv' | 'wal'].add(id)
    return id
  }

  /** Several at once of what must be so at every node, since the answer that said so. */
  async #reads(path: string, isRight: (found: Json) => boolean): Promise<void> {
    const read = async (): Promise<void> => {
      const answer = await this.#read(path)
      if (!isRight(answer.json)) this.problems.push(`GET ${path} was answered ${answer.text.slice(0, 300)}`)
    }
    await Promise.all(Array.from({ length: READS }, read))
  }

  /** The same of lists, which may be behind for a while; how long is noted. */
  async #lists(path: string, isRight: (found: Json) => boolean): Promise<void> {
    const read = async (): Promise<void> => {
      const fromMs = Date.now()
      let wasWrong = false
      for (;;) {
        const { json, text } = await this.#read(path)
        if (isRight(json)) break
        wasWrong = true
        if (Date.now() - fromMs < LISTS_LIMIT_MS) {
          await pause(RETRY_MS)
          continue
        }
        this.problems.push(`GET ${path} is still answered ${text.slice(0, 300)}`)
        break
      }
      if (wasWrong) this.behind.push({ what: `GET ${path}`, fromMs, toMs: Date.now() })
    }
    await Promise.all(Array.from({ length: READS }, read))
  }

  async #read(path: string): Promise<NonNullable<Answer>> {
    this.reads += 1
    return this.#insist(`GET ${path}`, () => this.#caller.ask('GET', path))
  }

  async #noted(what: string, attempt: () => Promise<Answer>): Promise<Answer> {
    const fromMs = Date.now()
    const answer = await attempt()
    noteAttempt(this.#requests, { what, fromMs, status: answer?.status ?? 'no answer' })
    return answer
  }

  /** Repeats the request until it is answered for good, as the API asks its callers to. */
  async #insist(what: string, attempt: () => Promise<Answer>): Promise<NonNullable<Answer>> {
    const startedMs = performance.now()
    for (;;) {
      const answer = await this.#noted(what, attempt)
      const passes = answer === null || [409, 429, 502, 503].includes(answer.status)
      this.longestMs = Math.max(this.longestMs, performance.now() - startedMs)
      if (!passes) return answer
      if (performance.now() - startedMs > INSIST_LIMIT_MS)
        throw new Error(`${what} is not answered: ${answer?.status ?? 'no answer'} ${answer?.text ?? ''}`)
      await pause(RETRY_MS)
    }
  }
}

const isOne =
  (id: string) =>
  ({ total, items }: Json): boolean =>
    total === 1 && (items as readonly Json[])[0]?.['id'] === id
