import type { Eventually } from '../../domain/eventually.ts'
import type { Problem } from './problem.ts'

/** A body as the route wants it. */
export type ReadBody = {
  readonly value: unknown
  /** What is the same for two bodies that mean the same, for an Idempotency-Key that comes again. */
  readonly meaning: unknown
}

/**
 * Reads the body of a route whose bodies are too large for the event loop. It checks all that the route's schema says,
 * in the same words; what it makes of the body is handed to the handler, whose type the schema names (`Type.Unsafe`).
 */
export type BodyReader = (bytes: Uint8Array) => Eventually<ReadBody | Problem>
