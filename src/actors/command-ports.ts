import type { Catalogue } from './credential-definition/catalogue.ts'
import type { Actors } from '../ports/actors.ts'
import type { Runtime } from '../ports/runtime.ts'

export type UseCasePorts = {
  readonly actors: Actors
  readonly runtime: Pick<Runtime, 'now' | 'newId'>
  readonly askTimeoutMs: number
}

export type CataloguePorts = UseCasePorts & { readonly catalogue: Catalogue }
