// @ts-check

/** How Node runs everything here; the image says the same. */
export const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  // Otherwise V8 puts what lives for one command where only a full collection finds it.
  '--no-allocation-site-pretenuring',
  // Megabytes. What requests leave behind is looked through half as often, and more of it has ended by then.
  '--max-semi-space-size=32',
]
