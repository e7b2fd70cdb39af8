export { ConnectionsPage } from './connections-page.tsx'
export { CredentialsPage } from './credentials-page.tsx'
export { DeliveriesPage } from './deliveries-page.tsx'
export { ProofsPage } from './proofs-page.tsx'
