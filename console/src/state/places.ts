/** Where the console begins, and where its records stand. */
export const START = '/console/overview'
export const SIGN_IN = '/console/sign-in'

export const placeOf = {
  connection: (id: string): string => `/console/connections/${encodeURIComponent(id)}`,
  credential: (id: string): string => `/console/credentials/${encodeURIComponent(id)}`,
  proof: (id: string): string => `/console/proofs/${encodeURIComponent(id)}`,
  offers: (id: string): string => `/console/offers/${encodeURIComponent(id)}`,
  delivery: (id: string): string => `/console/deliveries/${encodeURIComponent(id)}`,
}
