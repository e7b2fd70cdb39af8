import { isRefused } from '../../domain/decider.ts'
import { problemReportMessage } from '../../didcomm/problem-report.ts'
import { handshakeRefusal } from '../../didcomm/protocols/handshake.ts'
import type { Recipient } from '../../ports/wallets.ts'
import { withinBy } from '../../timing/within.ts'
import * as credentialMessages from '../credential/messages.ts'
import { credential } from '../credential/rules.ts'
import type { CredentialRecord } from '../credential/state.ts'
import { invitation } from '../invitation/rules.ts'
import type { ApiPorts } from '../kind-ports.ts'
import * as proofMessages from '../proof/messages.ts'
import { proof } from '../proof/rules.ts'
import type { ProofRecord } from '../proof/state.ts'
import { EXCHANGE_LISTS, type ExchangePage } from './closing.ts'
import { exchangesOf, inParallel } from './exchanges.ts'
import { HANDSHAKE_STATES } from './rules.ts'
import type { ConnectionRecord } from './state.ts'

type Ports = Pick<ApiPorts, 'actors' | 'directory' | 'deliver' | 'runtime'>

/** The keys go afterwards, and the caller waits. */
const TOLD_WITHIN_MS = 1_000
/** With the commits before and behind it. */
export const FAREWELL_MS_MAX = 1_500
const TOLD_AT_ONCE = 16
/** So long a farewell waits for a message to the holder that was under way when the connection was closed. */
const AFTER_OTHERS_MS = 500
const LOOK_AGAIN_MS = 10

const TEXT = 'The connection was closed.'

const spoken = {
  credential: {
    running: ['offer-sent', 'request-received', 'credential-issued'],
    protocol: credentialMessages.PROTOCOL,
    code: credentialMessages.PROBLEM_CODE,
  },
  proof: {
    running: ['request-sent', 'presentation-received'],
    protocol: proofMessages.PROTOCOL,
    code: proofMessages.PROBLEM_CODE,
  },
} as const

/**
 * Tells a holder, in one attempt for each, that what runs on its connection is over. It takes no longer than its time,
 * whatever becomes of it, and nothing of it is kept.
 */
export const sayFarewell = async (ports: Ports, id: string, record: ConnectionRecord): Promise<void> => {
  const over = new AbortController()
  const told = HANDSHAKE_STATES.includes(record.status)
    ? tellHandshake(ports, id, record, over.signal)
    : tellExchanges(ports, id, record, over.signal)
  try {
    await withinBy(
      ports.runtime,
      TOLD_WITHIN_MS,
      told.catch(() => undefined),
      () => undefined,
    )
  } finally {
    over.abort()
  }
}

/** Who has not completed the handshake may know no key of ours but the invitation's. */
const tellHandshake = async (
  { actors, deliver }: Ports,
  id: string,
  connection: ConnectionRecord,
  signal: AbortSignal,
): Promise<void> => {
  const { invitationId, theirService } = connection
  const answered = await actors.read(invitation.ref(invitationId))
  if (isRefused(answered) || answered.ownSeed === null || theirService === null) return
  const to = { service: theirService, ownSeed: answered.ownSeed }
  await deliver(to, handshakeRefusal(connection, TEXT), signal, `${id} farewell`)
}

const tellExchanges = async (
  ports: Ports,
  connectionId: string,
  { tenant, theirService, ownSeed }: ConnectionRecord,
  signal: AbortSignal,
): Promise<void> => {
  if (theirService === null || ownSeed === null) return
  const { directory } = ports
  const to = { service: theirService, ownSeed }
  for (const list of EXCHANGE_LISTS) {
    for (let page = 1, isLast = false; !isLast && !signal.aborted; page++) {
      const found = await exchangesOf(
        directory,
        { tenant, connectionId },
        { list, page },
        spoken[list].running,
      )
      isLast = found.isLast
      await inParallel(TOLD_AT_ONCE, found.ids, async (id) => {
        if (!signal.aborted) await tellOne(ports, to, { list, id }, signal).catch(() => undefined)
      })
    }
  }
}

/** A wallet takes a farewell for nothing that arrives before the message which began the exchange. */
const tellOne = async (
  { actors, deliver, runtime }: Ports,
  to: Recipient,
  { list, id }: Pick<ExchangePage, 'list'> & { readonly id: string },
  signal: AbortSignal,
): Promise<void> => {
  const read = () => (list === 'credential' ? actors.read(credential.ref(id)) : actors.read(proof.ref(id)))
  const untilMs = runtime.monotonicMs() + AFTER_OTHERS_MS
  let record = await read()
  while (!isRefused(record) && owesDelivery(record) && runtime.monotonicMs() < untilMs) {
    await runtime.sleep(LOOK_AGAIN_MS, signal)
    record = await read()
  }
  if (isRefused(record) || 'lastWord' in record) return
  const { threadId, prefix } = record
  const { protocol, code } = spoken[list]
  const message = problemReportMessage({ protocol, prefix, threadId, code, text: TEXT })
  await deliver(to, message, signal, `${id} farewell`)
}

/** A message to the holder may be under way: its delivery is not noted yet. */
const owesDelivery = (record: CredentialRecord | ProofRecord): boolean =>
  ('delivered' in record && !record.delivered) ||
  (record.status === 'request-received' && record.credential !== null)
