import type { Person } from '../state/session.tsx'
import { texts } from '../texts/texts.ts'

type Way = { readonly to: string; readonly text: string }
export type Ways = { readonly title: string | null; readonly ways: readonly Way[] }

const { pages, frame } = texts
const way = (page: string, text: string): Way => ({ to: `/console/${page}`, text })

const ofOrganisation: readonly Ways[] = [
  { title: null, ways: [way('overview', pages.overview)] },
  {
    title: frame.watch,
    ways: [
      way('connections', pages.connections),
      way('credentials', pages.credentials),
      way('offers', pages.offers),
      way('proofs', pages.proofs),
      way('deliveries', pages.deliveries),
      way('wallets', pages.wallets),
    ],
  },
  {
    title: frame.setUp,
    ways: [
      way('schemas', pages.schemas),
      way('definitions', pages.definitions),
      way('templates', pages.templates),
      way('webhook', pages.webhook),
      way('biometric', pages.biometric),
      way('retention', pages.retention),
    ],
  },
]
const ofPeople: Ways = {
  title: frame.people,
  ways: [way('members', pages.members), way('audit', pages.audit), way('erasures', pages.erasures)],
}
const ofService: Ways = {
  title: frame.service,
  ways: [
    way('organisations', pages.organisations),
    way('keys', pages.keys),
    way('endorsements', pages.endorsements),
    way('agreement', pages.agreement),
    way('health', pages.health),
    way('cluster', pages.cluster),
    way('parked', pages.parked),
    way('operators', pages.operators),
    way('operator-audit', pages.operatorAudit),
  ],
}

/** Where this person may go; operators see an organisation's pages while they act for it. */
export const waysOf = ({ signedIn, acting }: Person): readonly Ways[] => {
  if (signedIn.account.role !== 'operator') return [...ofOrganisation, ofPeople]
  return acting === null ? [ofService] : [...ofOrganisation, ofPeople, ofService]
}
