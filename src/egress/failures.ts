/** The address or the URL is one that the service never calls; a retry is pointless until it changes. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused'
  readonly retryable = false
}

/** The other side did not answer, or not in time. */
export class EgressFailed extends Error {
  override readonly name = 'EgressFailed'
  readonly retryable = true
}

/** The other side answered with more than anybody wants to read. */
export class AnswerTooLong extends EgressFailed {
  constructor(bytesMax: number) {
    super(`the answer has more than ${bytesMax} bytes`)
  }
}
