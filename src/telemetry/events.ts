/**
 * Everything the service can log, with its level. Closed on purpose: a log line is one of these names and known safe
 * fields, so no free text can carry personal data into a log.
 */
export const logEvents = {
  'service.started': {
    level: 'info',
    doc: 'The service is ready; the line has the address and how long the start took.',
  },
  'service.stopping': {
    level: 'info',
    doc: 'A signal came; readiness is off, running requests are finished.',
  },
  'service.stopped': { level: 'info', doc: 'Every request was finished and everything was flushed.' },
  'service.stop_timeout': {
    level: 'error',
    doc: 'The drain limit passed; what was still running was cut off.',
  },
  'service.crashed': {
    level: 'error',
    doc: 'An error was caught nowhere; the process ends, committed work is safe.',
  },
  'log.dropped': {
    level: 'warn',
    doc: 'The reader of the log was too slow, so this many lines were dropped (count).',
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
  'socket.failed': {
    level: 'error',
    doc: 'A message on a WebSocket could not be worked off by a mistake of ours; the socket was closed with code 1011.',
  },
  'http.engine_fallback': {
    level: 'warn',
    doc: 'uWebSockets.js has no binary for this machine; the server built into Node is used.',
  },
  'data_folder.left_open': {
    level: 'warn',
    doc: 'A file of the data folder that others may be able to read could not be closed to them, or a folder not be looked into: it belongs to another user.',
  },
  'egress.private_targets_allowed': {
    level: 'warn',
    doc: 'At every start with `VOUCHSAFE_ALLOW_PRIVATE_TARGETS`: webhooks and wallet messages may go to private addresses and over plain http. For development only.',
  },
  'actor.failed': {
    level: 'warn',
    doc: 'An actor failed at something (part: decision, recovery, effect, timer, snapshot, key, body, commit); it is tried again where that can help.',
  },
  'ledger.failed': { level: 'warn', doc: 'The sandbox ledger failed to handle a request.' },
  'ledger.unreachable': {
    level: 'warn',
    doc: 'Too few nodes of the ledger answer; what is to be written waits, and is tried again.',
  },
  'ledger.reachable': { level: 'info', doc: 'The ledger answers again.' },
  'directory.behind': {
    level: 'warn',
    doc: 'The lists could not follow the log of a shard; it is tried again.',
  },
  'directory.node_behind': {
    level: 'warn',
    doc: 'The lists of this node could not follow those of another (node); it is tried again.',
  },
  'retention.swept': {
    level: 'info',
    doc: 'Exchanges of a shard whose retention is over had their personal data erased, and connections what their webhooks said (count).',
  },
  'retention.failed': {
    level: 'warn',
    doc: 'An exchange whose retention is over, or the sweep of a shard, failed; it is tried again.',
  },
  'directory.rebuilt': {
    level: 'warn',
    doc: 'The lists had missed a part of a shard that the journal no longer keeps (the file of the lists was lost, or is older than the journal): the rows of the shard were rebuilt from its actors.',
  },
  'events.behind': {
    level: 'warn',
    doc: 'Events could not be passed on (part: publish, consume); it is tried again. Part record: a text in the stream is not an event and was skipped.',
  },
  'events.left_out': {
    level: 'warn',
    doc: 'An event can no longer be read: a stream of events (GET /v1/events/stream) went on without it. The line has its record (actor), its type (kind) and its organisation.',
  },
  'record.parked': {
    level: 'error',
    doc: 'A record (actor) cannot be read: the part (lists, events, webhooks, stream) goes on without it. Logged once for each record and part; `vouchsafe journal parked` lists and retries them.',
  },
  'record.not_parked': {
    level: 'error',
    doc: 'So many records of a shard cannot be read that no more are parked: the part stands still and tries again. Something larger is wrong, such as a wrong key store or an older release.',
  },
  'record.held_too_much': {
    level: 'error',
    doc: 'More events wait for an endpoint that cannot be read than are kept: its organisation gets no webhook of this one. The line has its record (actor), its type (kind) and its organisation.',
  },
  'shard.open_failed': {
    level: 'warn',
    doc: 'A shard could not be taken over; it is tried again. Logged at most once a minute for each shard, with how often (count) since.',
  },
  'map.failed': {
    level: 'warn',
    doc: 'The map of shards could not be read or changed, or a node could not say what it serves; it is tried again twice a second. Logged at most once a minute, with how often (count) since.',
  },
  'ask.unreadable': {
    level: 'error',
    doc: 'What another node (node) asked or answered could not be read; the asker hears that it can ask again. Nodes of releases that do not go together do this. At most once a minute for each node.',
  },
  'shard.lost': {
    level: 'warn',
    doc: 'Another node has taken a shard over, or the lease of this node ended.',
  },
  'node.lease_ended': {
    level: 'error',
    doc: 'Another node (node) renewed its lease and did nothing for a minute of what the map wanted of it: this one has ended its lease, and its shards are taken as those of a node that died. It comes back empty. Its log, from before, says why it hung; a developer should look into it.',
  },
  'link.connected': { level: 'info', doc: 'A connection to another node (node) is there and proved.' },
  'link.lost': {
    level: 'warn',
    doc: 'A connection to another node (node) ended; the code says how: closed (by the network or the other process), silent (nothing came for four seconds: frozen or cut off), slow (it does not read), broken (what came made no sense), suspended (this machine, or its clock was set forward), replaced, revoked (its secret is accepted no more). Logged at most once a minute for each node and code.',
  },
  'link.refused': {
    level: 'warn',
    doc: 'A node (node) was reached and the connection was refused by it or by this one; the code says why: version (releases that are more than one version of the link apart), name (the address belongs to another node), role, proof, lease (one of the two is not the process that has its name: it has just started, or another one has the name). At most once a minute for each node and code.',
  },
  'link.dial_failed': {
    level: 'warn',
    doc: 'Another node (node) cannot be reached, or does not know the secret of the cluster; it is tried again. At most once a minute for each node.',
  },
  'link.stranger': {
    level: 'warn',
    doc: 'Connections to the port of the nodes proved nothing and were ended; the code says how far they came: left (closed by itself), tls (without the secret), late (not proved in time), crowd (too many at once), request, greeting, proof. The line has how many there were (count) since the last line with the code, at most once a minute.',
  },
  'link.out_of_touch': {
    level: 'error',
    doc: 'This node (node) could not reach others by the link that reach each other, for twice the time after which a node counts as dead: it has given up its lease, serves nothing and is not ready. It comes back by itself when it reaches them. `vouchsafe nodes` shows who reaches whom.',
  },
  'link.secret_unreadable': {
    level: 'error',
    doc: 'The file with the secret of the cluster cannot be used any more; the secrets read last go on being used.',
  },
  'anoncreds.engine_fallback': {
    level: 'warn',
    doc: "libanoncreds answers instead of the service's own engine; the code says why. Logged once for each cause.",
  },
  'anoncreds.engines_disagree': {
    level: 'error',
    doc: 'The two engines contradicted each other, and the request was refused. A developer should look into it.',
  },
} as const satisfies Record<
  string,
  { readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly doc: string }
>

export type LogEvent = keyof typeof logEvents
