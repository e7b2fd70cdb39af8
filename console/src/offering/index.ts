export { InvitePage } from './invite-page.tsx'
export { OfferPage } from './offer-page.tsx'
export { RequestPage } from './request-page.tsx'
