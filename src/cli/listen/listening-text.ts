import { plainText } from '../api-access.ts'
import type { Output } from '../output.ts'
import type { Attempted } from './forwarder.ts'
import type { HeardEvent } from './heard.ts'
import type { Noticed } from './hear.ts'

const MS = 1_000

/**
 * What a person or a program reads of events that are heard: which event of which record, and what became of it. Nothing
 * that an event says of a person is among it.
 */
export class ListeningText {
  readonly #output: Output
  readonly #now: () => Date

  constructor(output: Output, now: () => Date = () => new Date()) {
    this.#output = output
    this.#now = now
  }

  /** Where nothing is posted on. */
  heard(event: HeardEvent): void {
    this.#output.result(this.#facts(event), this.#line(event))
  }

  attempted({ event, attempt, answer, againMs }: Attempted): void {
    const { status, durationMs } = answer
    const error = answer.error === null ? null : plainText(answer.error)
    const outcome = error === null ? 'accepted' : againMs === null ? 'given_up' : 'tried_again'
    const value = { ...this.#facts(event), outcome, attempt, status, durationMs, error }
    const happened =
      error === null ? `${String(status)} in ${durationMs} ms` : `${error}; ${next(attempt, againMs)}`
    this.#output.result(value, `${this.#line(event)}  ${happened}`)
  }

  /** What the stream says of itself; programs get it too. */
  stream(noticed: Exclude<Noticed, HeardEvent>): void {
    if (this.#output.json) this.#output.result({ at: this.#time(), stream: noticed }, '')
    else this.#output.note(sentences[noticed.is](noticed as never))
  }

  #facts({ id, type, recordId }: HeardEvent) {
    return { at: this.#time(), id, type, recordId }
  }

  #line({ id, type, recordId }: HeardEvent): string {
    return [this.#time(), id, type, recordId ?? '–'].join('  ')
  }

  #time(): string {
    return this.#now().toISOString()
  }
}

const next = (attempt: number, againMs: number | null): string =>
  againMs === null ? `given up after ${attempt} attempts` : `again in ${againMs / MS} s`

type Told = Exclude<Noticed, HeardEvent>
type Sentences = { readonly [Is in Told['is']]: (told: Extract<Told, { is: Is }>) => string }

const ENDS: Readonly<Record<string, string>> = {
  behind: 'This listener was too slow, and is behind by more than the service keeps.',
  lost: 'The service itself was cut off from the events.',
  displaced: 'The service is full, and this place went to an organisation that had fewer.',
}

const sentences: Sentences = {
  connected: () => 'Listening. Ctrl+C ends it.',
  away: ({ reason, waitMs }) => `${reason} Trying again in ${Math.ceil(waitMs / MS)} s …`,
  gap: () => 'Events may be missing from before this moment: the GET routes show how the records are.',
  left_out: ({ id, reason }) => `${id} does not come here (${reason}): the GET routes show its record.`,
  end: ({ reason }) => ENDS[reason] ?? `The service has ended the stream (${reason}).`,
}
