export { ConnectionPage } from './connection-page.tsx'
export { CredentialPage } from './credential-page.tsx'
export { DeliveryPage } from './delivery-page.tsx'
export { ProofPage } from './proof-page.tsx'
