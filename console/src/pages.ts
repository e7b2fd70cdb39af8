import type { FunctionComponent } from 'preact'
import { lazy } from 'preact-iso'
import { OverviewPage } from './overview/overview-page.tsx'
import { orReload } from './state/or-reload.ts'

const lists = () => orReload(() => import('./lists/index.ts'))
const records = () => orReload(() => import('./records/index.ts'))
const setup = () => orReload(() => import('./setup/index.ts'))
const offering = () => orReload(() => import('./offering/index.ts'))
const account = () => orReload(() => import('./account/index.ts'))
const operators = () => orReload(() => import('./operators/index.ts'))
const people = () => orReload(() => import('./people/index.ts'))

/** Every page of somebody who is in, by its address; each group of them is loaded when one of it is opened first. */
export const pages: readonly (readonly [path: string, page: FunctionComponent])[] = [
  ['/console/overview', OverviewPage],
  ['/console/connections', lazy(async () => (await lists()).ConnectionsPage)],
  ['/console/connections/new', lazy(async () => (await offering()).InvitePage)],
  ['/console/connections/:id', lazy(async () => (await records()).ConnectionPage)],
  ['/console/credentials', lazy(async () => (await lists()).CredentialsPage)],
  ['/console/credentials/new', lazy(async () => (await offering()).OfferPage)],
  ['/console/credentials/:id', lazy(async () => (await records()).CredentialPage)],
  ['/console/offers', lazy(async () => (await offering()).OffersPage)],
  ['/console/offers/new', lazy(async () => (await offering()).OfferManyPage)],
  ['/console/offers/:id', lazy(async () => (await offering()).OfferJobPage)],
  ['/console/proofs', lazy(async () => (await lists()).ProofsPage)],
  ['/console/proofs/new', lazy(async () => (await offering()).RequestPage)],
  ['/console/proofs/:id', lazy(async () => (await records()).ProofPage)],
  ['/console/wallets', lazy(async () => (await lists()).WalletsPage)],
  ['/console/erasures', lazy(async () => (await lists()).ErasuresPage)],
  ['/console/deliveries', lazy(async () => (await lists()).DeliveriesPage)],
  ['/console/deliveries/:id', lazy(async () => (await records()).DeliveryPage)],
  ['/console/schemas', lazy(async () => (await setup()).SchemasPage)],
  ['/console/schemas/new', lazy(async () => (await setup()).NewSchemaPage)],
  ['/console/schemas/:id', lazy(async () => (await setup()).SchemaPage)],
  ['/console/definitions', lazy(async () => (await setup()).DefinitionsPage)],
  ['/console/definitions/new', lazy(async () => (await setup()).NewDefinitionPage)],
  ['/console/definitions/:id', lazy(async () => (await setup()).DefinitionPage)],
  ['/console/templates', lazy(async () => (await setup()).TemplatesPage)],
  ['/console/templates/new', lazy(async () => (await setup()).NewTemplatePage)],
  ['/console/templates/:id', lazy(async () => (await setup()).TemplatePage)],
  ['/console/webhook', lazy(async () => (await setup()).WebhookPage)],
  ['/console/biometric', lazy(async () => (await setup()).BiometricPage)],
  ['/console/retention', lazy(async () => (await setup()).RetentionPage)],
  ['/console/account', lazy(async () => (await account()).AccountPage)],
  ['/console/members', lazy(async () => (await people()).MembersPage)],
  ['/console/audit', lazy(async () => (await people()).AuditPage)],
  ['/console/organisations', lazy(async () => (await operators()).OrganisationsPage)],
  ['/console/organisations/:id', lazy(async () => (await operators()).OrganisationPage)],
  ['/console/operator-audit', lazy(async () => (await operators()).OperatorAuditPage)],
  ['/console/operators', lazy(async () => (await operators()).OperatorsPage)],
  ['/console/agreement', lazy(async () => (await operators()).AgreementPage)],
  ['/console/parked', lazy(async () => (await operators()).ParkedPage)],
  ['/console/health', lazy(async () => (await operators()).HealthPage)],
  ['/console/cluster', lazy(async () => (await operators()).ClusterPage)],
  ['/console/keys', lazy(async () => (await operators()).KeysPage)],
  ['/console/endorsements', lazy(async () => (await operators()).EndorsementsPage)],
]
