import { MEMBER_PAGES, OPERATOR_PAGES } from '../../../test/integration/console/parts/pages.ts'

/** A page as it stands in a picture: the name of the file, and its address behind `/console/`. */
export type ShownPage = readonly [name: string, address: string]

/** Before anything has happened: what is to be done next. */
export const emptyPages: readonly ShownPage[] = [
  'overview',
  'connections',
  'credentials',
  'proofs',
  'offers',
  'deliveries',
  'wallets',
  'erasures',
  'schemas',
  'definitions',
  'templates',
  'webhook',
  'credentials/new',
  'offers/new',
  'proofs/new',
].map((address) => [`empty-${nameOf(address)}`, address])

export const memberPages: readonly ShownPage[] = MEMBER_PAGES.map((address) => [nameOf(address), address])

export const operatorPages: readonly ShownPage[] = OPERATOR_PAGES.map((address) => [nameOf(address), address])

/** Records, by the lists that they stand in. */
export const recordPages = {
  connections: 'connection',
  credentials: 'credential',
  proofs: 'proof',
  offers: 'offer-job',
  deliveries: 'delivery',
  schemas: 'schema',
  definitions: 'definition',
  templates: 'template',
  organisations: 'organisation',
} as const

/** Pages of nobody, and what comes over a page. */
const otherPictures = [
  'sign-in',
  'sign-in-code',
  'invitation-password',
  'invitation-authenticator',
  'invitation-codes',
  'invitation-cut-off',
  'not-found',
  'no-such-record',
  'dialog-invite-member',
  'dialog-member-link',
  'dialog-erase',
  'dialog-session-over',
  'dialog-new-key',
  'dialog-act',
  'acting',
  'menu',
  'invitation-open',
  'table-preview',
  'table-sent',
] as const

/** What another service than that of the tour shows; `cluster` is dear, and taken when it is named alone. */
export const extraPictures = {
  agreement: ['agreement-open'],
  parked: ['parked-record', 'parked-retried'],
  cluster: ['cluster-nodes', 'cluster-plan'],
} as const

export type Extra = keyof typeof extraPictures

export const pictureNames: readonly string[] = [
  ...[...emptyPages, ...memberPages, ...operatorPages].map(([name]) => name),
  ...Object.values(recordPages),
  ...otherPictures,
  ...Object.values(extraPictures).flat(),
]

function nameOf(address: string): string {
  return address.replace('/', '-')
}
