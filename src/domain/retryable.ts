/** Broken infrastructure says of itself that it can be asked again; everything else is a defect. */
export const isRetryable = (error: unknown): error is Error =>
  error instanceof Error && 'retryable' in error && error.retryable === true
