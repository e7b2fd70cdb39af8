/** From an empty organisation to a proof, in the order of the README, and where each is done. */
export const FIRST_STEPS = {
  schema: '/console/schemas/new',
  definition: '/console/definitions/new',
  connection: '/console/connections/new',
  credential: '/console/credentials/new',
  template: '/console/templates/new',
  webhook: '/console/webhook',
} as const

export type FirstStep = keyof typeof FIRST_STEPS

export const firstSteps = Object.keys(FIRST_STEPS) as readonly FirstStep[]
