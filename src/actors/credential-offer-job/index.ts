import { defineKind, keysAbove } from '../define-kind.ts'
import { rowOfRecord } from '../rows.ts'
import { claimKeys } from './claim-keys.ts'
import { offerWave } from './offer-wave.ts'
import { offerJobRoutes } from './routes.ts'
import { offerJob, offerJobDecider, type OfferJobTypes } from './rules.ts'
import { offerJobStored } from './stored.ts'
import { WaveTurns } from './wave-turns.ts'

/**
 * The offers of one request for many. The job lives on the shard of its organisation; each offer is an exchange like any
 * other, and knows nothing of it.
 */
export const offerJobKind = defineKind<OfferJobTypes>({
  references: offerJob,
  decider: offerJobDecider,
  ...offerJobStored,
  keyParent: keysAbove,
  // What its items said is in no copy any more: their bodies are deleted one after the other, and then their key.
  erased: ({ status }) => status === 'finished' || status === 'forgotten',
  bodiesKept: (job) => {
    if ('keys' in job)
      return [job.keys.id, ...job.waves.flatMap(({ body, restBody = [] }) => [body.id].concat(restBody))]
    return job.status === 'forgotten' ? [] : null
  },
  // What is left of a wave has a body of its own.
  bodiesCome: ({ status }) => status === 'running',
  isOver: ({ status }) => status === 'finished' || status === 'forgotten',
  goneAtMs: (job) => (job.status === 'forgotten' ? job.updatedAtMs : null),
  tenantOf: (job) => (job.status === 'none' ? null : job.tenant),
  effects: (ports) => {
    const turns = new WaveTurns()
    return {
      gate: ({ job }) => turns.of(job.tenant),
      perform: (effect, context) =>
        effect.kind === 'claim-keys' ? claimKeys(ports, effect, context) : offerWave(ports, effect, context),
    }
  },
  onTimer: (_timerId, atMs) => ({ type: 'ForgetOfferJob', atMs }),
  listed: {
    list: 'credential-offer-job',
    row: (job) => rowOfRecord(job, { texts: [job.id] }),
    isUnlisted: ({ status }) => status === 'receiving' || status === 'forgotten',
  },
  routes: offerJobRoutes,
})
