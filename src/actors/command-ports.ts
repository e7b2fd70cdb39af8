import type { Actors } from '../ports/actors.ts'
import type { Runtime } from '../ports/runtime.ts'

export type UseCasePorts = {
  readonly actors: Actors
  readonly runtime: Pick<Runtime, 'now' | 'newId'>
  readonly askTimeoutMs: number
}
