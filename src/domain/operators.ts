/** Stands where a tenant id stands, for what belongs to the operators of the service and to no organisation. */
export const OPERATORS = 'operators'

/** Stands there for what the service itself signs and tags. */
export const PLATFORM = 'platform'
