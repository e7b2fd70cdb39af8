/** The address or the URL is one that the service never calls; a retry is pointless until it changes. */
export class EgressRefused extends Error {
  readonly retryable = false
  constructor(reason: string) {
    super(reason)
    this.name = 'EgressRefused'
  }
}

/** The other side did not answer, or not in time. */
export class EgressFailed extends Error {
  readonly retryable = true
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'EgressFailed'
  }
}
