/**
 * Everything the service can log, with its level. Closed on purpose: a log line is one of these names and known safe
 * fields, so no free text can carry personal data into a log.
 */
export const logEvents = {
  'service.started': { level: 'info', doc: 'Ready to serve; says the address and how long the start took.' },
  'service.stopping': {
    level: 'info',
    doc: 'A signal came; readiness is off, running requests are finished.',
  },
  'service.stopped': { level: 'info', doc: 'Everything was finished and flushed.' },
  'service.stop_timeout': {
    level: 'error',
    doc: 'The drain limit passed; what was still running was cut off.',
  },
  'service.crashed': {
    level: 'error',
    doc: 'An error nobody caught; the process ends, committed work is safe.',
  },
  'log.dropped': {
    level: 'warn',
    doc: 'So many lines were dropped, because nobody read the log fast enough.',
  },
  'part.stop_failed': { level: 'error', doc: 'A part reported an error while it stopped.' },
  'probe.failed': {
    level: 'warn',
    doc: 'A part stopped answering its probe; /ready and health are degraded.',
  },
  'probe.recovered': { level: 'info', doc: 'A part answers its probe again.' },
  'http.request': { level: 'info', doc: 'Access log: one line per request.' },
  'http.failed': {
    level: 'error',
    doc: 'A request ended in 500; the error is here, the caller saw only the request id.',
  },
  'http.engine_fallback': {
    level: 'warn',
    doc: 'uWebSockets.js has no binary here; the server built into Node is used.',
  },
  'actor.failed': {
    level: 'warn',
    doc: 'Something of an actor failed (part: decision, recovery, effect, timer, snapshot, key, commit); it is tried again where that can help.',
  },
  'ledger.failed': { level: 'warn', doc: 'The sandbox ledger met a request that it could not handle.' },
  'directory.behind': {
    level: 'warn',
    doc: 'The lists could not follow a shard for the moment; it is tried again.',
  },
  'directory.made_anew': {
    level: 'warn',
    doc: 'The lists had missed a part of a shard that the journal no longer keeps (the file of the lists was lost, or is older than the journal): its rows were made anew.',
  },
  'events.behind': {
    level: 'warn',
    doc: 'Events could not go on for the moment (part: publish, consume); it is tried again. Part record: a text in the stream is no event and was left behind.',
  },
  'events.left_out': {
    level: 'warn',
    doc: 'An event could not be read, also not later: a stream of events (GET /v1/events/stream) went on without it. The line names its record (actor), its type (kind) and its organisation.',
  },
  'shard.open_failed': { level: 'warn', doc: 'A shard could not be taken over; it is tried again.' },
  'shard.lost': {
    level: 'warn',
    doc: 'Another node has taken a shard over, or the lease of this one ended.',
  },
  'anoncreds.engine_fallback': {
    level: 'warn',
    doc: 'libanoncreds answers in place of the own engine; the code says why. Once for each cause.',
  },
  'anoncreds.engines_disagree': {
    level: 'error',
    doc: 'The two engines contradicted each other; the answer was a refusal. Somebody has to look.',
  },
} as const satisfies Record<
  string,
  { readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly doc: string }
>

export type LogEvent = keyof typeof logEvents
