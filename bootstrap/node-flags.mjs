// @ts-check

/** How Node runs everything here; the image says the same. */
export const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  // Otherwise V8 puts what lives for one command where only a full collection finds it.
  '--no-allocation-site-pretenuring',
  // Megabytes. What requests leave behind is looked through half as often, and more of it has ended by then.
  '--max-semi-space-size=32',
  // Per cent. Where memory fills slowly V8 looks through all of it after a tenth more, and callers wait beside that.
  '--heap-growing-percent=100',
  // A thread fewer than there are processors helps V8; Node's four would leave callers a third of one where there are two.
  '--v8-pool-size=0',
]
