import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { shardDigits } from '../../domain/references.ts'
import { TENANT_CALLERS, tenantOf } from '../../http/callers/caller.ts'
import { choice } from '../../http/route/fields.ts'
import { pageOf, pageOfAll, pageQuery, pageReply, statusQuery } from '../../http/route/list.ts'
import { problem, refusal, retryAfter } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { ownRecord, shownRecord } from '../own-record.ts'
import { readingRoutes } from '../reading-routes.ts'
import { tags } from '../tags.ts'
import { beginOfferJob, waitForRoomMs } from './begin.ts'
import { openKeys } from './kept-items.ts'
import { OffersReader } from './offers-reader.ts'
import { openReasons } from './reasons.ts'
import {
  JOB_STATUSES,
  offerItemSchema,
  offerItemsView,
  offerJobAsBegun,
  offerJobSchema,
  offerJobView,
} from './record.ts'
import { offerJob } from './rules.ts'
import { offersBody, type SentOffers } from './sent-offers.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'vault' | 'bodies' | 'directory' | 'offerItemsPerMinute'>

const PATH = '/v1/credential-offer-jobs'
const MANY = limits.offerItemsMax.toLocaleString('en')
const refusals = ['invalid_request', 'forbidden', 'rate_limited'] as const
const NO_JOB = 'There is no job with this id.'

export const offerJobRoutes = (ports: Ports): readonly Route[] => {
  const reader = new OffersReader()
  const shown = shownRecord(ports, offerJob, offerJobView)
  const { list, show } = readingRoutes(ports, {
    path: PATH,
    tag: tags.credentials,
    callers: TENANT_CALLERS,
    kind: 'credential-offer-job',
    noun: 'job',
    list: {
      operationId: 'listCredentialOfferJobs',
      summary: 'Lists the jobs of many offers, newest first',
      description: `A job is listed until ${limits.offerJobDays} days after its end. \`q\` looks in its id.`,
    },
    show: {
      operationId: 'getCredentialOfferJob',
      summary: 'Shows how far a job of many offers is',
    },
    query: statusQuery(JOB_STATUSES),
    record: offerJobSchema,
    view: shown,
  })
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/credentials/offers',
      operationId: 'offerCredentials',
      summary: `Offers up to ${MANY} credentials`,
      description: `Answers when everything is kept, with a job that offers one item after the other, each as \`POST /v1/credentials/offer\` would under the same key: \`${PATH}/{id}/items\` shows what became of each, and \`credential.state_changed\` tells each step of its exchange. An item that is refused stops no other. A request that is not well-formed is refused whole. Items of requests for many have a rate of their own in any minute, for all keys of the organisation together.`,
      tag: tags.credentials,
      access: { callers: TENANT_CALLERS },
      body: Type.Unsafe<SentOffers>(offersBody),
      bodyBytesMax: limits.offersBodyBytesMax,
      bodyReader: reader.read,
      responses: { 202: offerJobSchema },
      answer: { example: { status: 'running', offered: 0, refused: 0 } },
      errors: refusals,
      idempotency: {
        newRecordId: ({ caller }) =>
          offerJob.newRef(shardDigits(tenantOf(caller) ?? ''), ports.runtime.newId()),
        // One that is being received goes on where it was left.
        showRecord: shownRecord(ports, offerJob, (id, job) =>
          'keys' in job ? offerJobAsBegun(id, job) : null,
        ),
      },
      handle: async ({ caller: { tenantId: tenant }, body: offers, recordId: id }) => {
        const begun = await beginOfferJob(ports, { tenant, id, offers })
        if (!isRefused(begun)) return reply(202, offerJobAsBegun(id, begun))
        if (begun.refused !== 'rate_limited') return refusal(refusals, begun)
        const waitMs = await waitForRoomMs(ports, tenant, offers.total)
        return problem('rate_limited', begun.reason, retryAfter(waitMs))
      },
    }),
    list,
    show,
    itemsRoute(ports),
  ]
}

const OUTCOMES = ['waiting', 'offered', 'refused'] as const

const itemsRoute = (ports: Ports): Route =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/{id}/items`,
    operationId: 'listCredentialOfferItems',
    summary: 'Lists the items of a job of many offers, with what became of each',
    description: 'In the order of the request. `q` looks in their keys and in the ids of their exchanges.',
    tag: tags.credentials,
    access: { callers: TENANT_CALLERS },
    query: Type.Object({
      ...pageQuery,
      outcome: Type.Optional(choice(OUTCOMES, 'What became of them.', 'refused')),
    }),
    responses: { 200: pageOf(offerItemSchema, 'in the order of the request') },
    errors: ['not_found', 'invalid_request'],
    handle: async ({ caller: { tenantId }, params: { id }, query, head }) => {
      const job = await ownRecord(ports, offerJob, tenantId, id)
      if (job === null || !('keys' in job)) return problem('not_found', NO_JOB)
      const [keys, reasons] = await Promise.all([openKeys(ports, id, job), openReasons(ports, id, job)])
      const items = offerItemsView(job, keys, reasons)
      const { outcome } = query
      const fitting = outcome === undefined ? items : items.filter((item) => outcomeOf(item) === outcome)
      return pageReply(
        head,
        pageOfAll(fitting, query, ({ idempotencyKey, credentialId }) => [idempotencyKey, credentialId]),
      )
    },
  })

type Outcome = (typeof OUTCOMES)[number]

const outcomeOf = ({
  credentialId,
  error,
}: {
  readonly credentialId: string | null
  readonly error: string | null
}): Outcome => {
  if (credentialId !== null) return 'offered'
  return error === null ? 'waiting' : 'refused'
}
