import type { Catalogue } from '../actors/catalogue-port.ts'
import type { Actors } from '../actors/ports.ts'
import type { Runtime } from '../actors/runtime-port.ts'

export type UseCasePorts = {
  readonly actors: Actors
  readonly runtime: Pick<Runtime, 'now' | 'newId'>
  readonly askTimeoutMs: number
}

export type CataloguePorts = UseCasePorts & { readonly catalogue: Catalogue }
