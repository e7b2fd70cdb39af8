export { EndorsementsPage } from './endorsements-page.tsx'
export { KeysPage } from './keys-page.tsx'
export { OrganisationPage } from './organisation-page.tsx'
export { OrganisationsPage } from './organisations-page.tsx'
