import { texts, wordsOf } from '../texts/texts.ts'

const TONES: Readonly<Record<string, string>> = {
  'request-received': 'busy',
  'response-sent': 'busy',
  completed: 'good',
  'offer-sent': 'busy',
  'credential-issued': 'busy',
  done: 'good',
  'request-sent': 'busy',
  'presentation-received': 'busy',
  declined: 'warn',
  abandoned: 'warn',
  pending: 'busy',
  waiting: 'busy',
  running: 'busy',
  offered: 'good',
  finished: 'good',
  awaiting_endorsement: 'busy',
  endorsed: 'busy',
  published: 'good',
  active: 'good',
  failed: 'bad',
  refused: 'bad',
  approved: 'good',
  alive: 'good',
  ok: 'good',
  up: 'good',
  down: 'bad',
  degraded: 'bad',
  unreachable: 'bad',
  coming: 'busy',
  left: 'warn',
  delivered: 'good',
  dead: 'bad',
  suspended: 'warn',
  deletion_ordered: 'bad',
  deleting: 'bad',
  invited: 'busy',
  verified: 'good',
  refuted: 'bad',
}

/** A state in words, with a colour that repeats what they say. */
export const StateBadge = ({ state }: { readonly state: string }) => (
  <span class={`badge ${TONES[state] ?? ''}`}>{wordsOf(texts.states, state)}</span>
)
