import { clearPart } from '../host/codec.ts'
import type { StoredActor } from '../ports/journal.ts'
import { unwrapSnapshot } from '../host/state/snapshot-envelope.ts'

type Described = {
  /** The part that is not sealed, with null for personal fields; null as a whole when the text cannot be read. */
  readonly event: unknown
  readonly sealed: boolean
  readonly problem?: string
}

/** Unseals nothing, so it needs no keys and shows no personal data. */
export const describeActor = (actor: string, { snapshot, events }: StoredActor) => ({
  actor,
  snapshotSeq: snapshot?.seq ?? null,
  snapshot: snapshot === null ? null : describe(() => unwrapSnapshot(snapshot.data).state).event,
  events: events.map(({ seq, commandId, data }) => ({ seq, commandId, ...describe(() => data) })),
})

const describe = (text: () => string): Described => {
  try {
    const { data, sealed } = clearPart(text())
    return { event: data, sealed }
  } catch {
    // The message of the error is left out, because it may quote the text.
    return { event: null, sealed: false, problem: 'cannot be read' }
  }
}

export const renderActor = ({
  actor,
  snapshotSeq,
  snapshot,
  events,
}: ReturnType<typeof describeActor>): string => {
  const head = `${actor}: ${events.length} events, ${snapshotSeq === null ? 'no snapshot' : `snapshot of event ${snapshotSeq}`}`
  const width = String(events.at(-1)?.seq ?? 0).length
  const lines = events.map(({ seq, commandId, event, sealed, problem }) => {
    const text = problem ?? JSON.stringify(event)
    return `${String(seq).padStart(width)}  ${text}${sealed ? '  + sealed personal fields' : ''}  by ${commandId ?? 'no command'}`
  })
  // Of a record whose events are folded it is all that there is.
  if (snapshotSeq !== null && lines.length === 0) lines.push(`   ${JSON.stringify(snapshot)}`)
  return [head, ...lines].join('\n')
}
