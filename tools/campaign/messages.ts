import type { EngineSettings } from '../../src/persistence/engine-settings.ts'
import type { CounterCommand, CounterReply } from '../simulate/counter.ts'

export type ServiceOrders = {
  readonly node: string
  readonly engine: EngineSettings
  readonly shardCount: number
  /** Its wall clock is so far off. */
  readonly clockOffsetMs: number
}

export type ToService =
  | {
      readonly is: 'ask'
      readonly id: number
      readonly actor: string
      readonly command: CounterCommand
      readonly commandId: string
    }
  | { readonly is: 'stop' }

export type FromService =
  | { readonly is: 'started' }
  | { readonly is: 'failed'; readonly reason: string }
  | { readonly is: 'answer'; readonly id: number; readonly reply: CounterReply }
  | { readonly is: 'refusal'; readonly id: number; readonly code: string; readonly retryable: boolean }
  | { readonly is: 'performed'; readonly actor: string; readonly effect: string }
  | { readonly is: 'opened'; readonly shard: number; readonly tookMs: number }
  | { readonly is: 'defect'; readonly text: string }
