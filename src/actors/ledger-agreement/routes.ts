import { type Static, Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import {
  choice,
  exact,
  isoTime,
  momentOrNull,
  recordOf,
  sentText,
  words,
  wordsOrNull,
} from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { tags } from '../tags.ts'
import { acceptAgreement, readAgreement, type ShownAgreement } from './commands.ts'
import { theLedgerAgreement } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'ledger'>

const PATH = '/v1/operator/ledger-agreement'
const MECHANISM_CHARACTERS_MAX = 200
const DIGEST = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90'
const refusals = ['not_found', 'agreement_outdated', 'invalid_request'] as const

const agreementSchema = recordOf('LedgerAgreement', {
  status: choice(
    ['none', 'open', 'accepted'],
    'Whether the ledger wants an agreement accepted, and an operator has. While it is `open` nothing is written.',
    'accepted',
  ),
  version: wordsOrNull('The version of the agreement.', '2.0'),
  text: wordsOrNull('What it says.', 'Every author declares …'),
  digest: wordsOrNull('Its checksum, by which it is accepted.', DIGEST),
  mechanisms: Type.Array(
    exact({
      name: words('How it may be accepted.', 'service_agreement'),
      description: words('What that means.', 'The author has signed a contract about the service.'),
    }),
    { description: 'The ways in which the ledger lets it be accepted.' },
  ),
  acceptedMechanism: wordsOrNull('The way in which it was accepted.', 'service_agreement'),
  acceptedAt: momentOrNull('When it was accepted.'),
  acceptedBy: wordsOrNull(
    'The account of the operator who did; `local` for the command line of the machine.',
    null,
  ),
})

/** An acceptance of another text than the ledger has now is none. */
const agreementView = ({ agreement, accepted }: ShownAgreement): Static<typeof agreementSchema> => {
  const valid = agreement !== null && accepted?.digest === agreement.digest ? accepted : null
  return {
    status: agreement === null ? 'none' : valid === null ? 'open' : 'accepted',
    version: agreement?.version ?? null,
    text: agreement?.text ?? null,
    digest: agreement?.digest ?? null,
    mechanisms: Object.entries(agreement?.mechanisms ?? {}).map(([name, description]) => ({
      name,
      description,
    })),
    acceptedMechanism: valid?.mechanism ?? null,
    acceptedAt: valid === null ? null : isoTime(valid.atMs),
    acceptedBy: valid?.by ?? null,
  }
}

/** The agreement that a real network wants accepted before anything is written. */
export const ledgerAgreementRoutes = (ports: Ports): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getLedgerAgreement',
    summary: 'Shows the agreement of the ledger, and whether it is accepted',
    description: 'As the ledger has it now. The sandbox has none.',
    tag: tags.operators,
    access: { callers: ['operator'] },
    responses: { 200: agreementSchema },
    errors: [],
    handle: async () => reply(200, agreementView(await readAgreement(ports))),
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/accept`,
    operationId: 'acceptLedgerAgreement',
    summary: 'Accepts the agreement of the ledger, in the name of the operator of the service',
    description:
      'By the digest of the text that was shown. What waits is written within five minutes. When the ledger has another text, all writes wait until that one is accepted.',
    tag: tags.operators,
    access: { callers: ['operator'] },
    body: exact({
      digest: sentText(64, 'The digest of the agreement that was read.', DIGEST),
      mechanism: sentText(MECHANISM_CHARACTERS_MAX, 'One of its mechanisms, by name.', 'service_agreement'),
    }),
    responses: { 200: agreementSchema },
    errors: refusals,
    idempotency: {
      newRecordId: () => theLedgerAgreement,
      showRecord: () => null,
      storedFields: Object.keys(agreementSchema.properties),
    },
    audit: { done: ({ body }) => (body as { readonly digest: string }).digest },
    handle: async ({ caller, body }) => {
      const found = await acceptAgreement(ports, caller, body)
      return isRefused(found) ? refusal(refusals, found) : reply(200, agreementView(found))
    },
  }),
]
