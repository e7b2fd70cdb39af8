import type { EngineName } from './engine.ts'
import type { NativeStatus } from './native-binary.ts'

export type Operation = 'issue' | 'verify' | 'define'

/** Counters and alarms of the engines; src/compose connects them with metrics and log. */
export interface EngineObserver {
  done(operation: Operation, engine: EngineName, result: 'ok' | 'refused' | 'failed', seconds: number): void
  /** Once for each cause: why the library answers in place of the own engine. */
  fellBack(cause: string): void
  /** The engines contradict each other; the answer was a refusal. */
  disagreed(operation: Operation): void
  status(status: NativeStatus): void
}

export const silentObserver: EngineObserver = {
  done: () => undefined,
  fellBack: () => undefined,
  disagreed: () => undefined,
  status: () => undefined,
}
