import type { FrontDoor } from '../../../src/http/server/server.ts'
import type { startUwsServer } from '../../../src/http/server/uws-server.ts'
import type { ApiOnMemory } from '../../compose/api-on-memory.ts'
import type { Person } from '../../compose/console-people.ts'

export type Json = Readonly<Record<string, unknown>>
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  readonly json: Json
}
export type Role = 'admin' | 'viewer' | 'operator'
type Who = 'nobody' | 'key' | 'wallet' | Role
export type Asked = {
  /** Somebody known here, a person, or a credential. */
  readonly as: Who | Person | { readonly bearer: string }
  readonly target: string
  readonly body?: unknown
  readonly headers?: Headers
}
export type Headers = Readonly<Record<string, string | readonly string[]>>

/** An organisation with a published definition and a connection that is ready. */
export type Furniture = {
  readonly tenant: string
  readonly schemaId: string
  readonly definitionId: string
  readonly connectionId: string
}

/** The service that the contract is shown on, and what a caller must have from elsewhere: its operator, its people's codes, its time. */
export type Place = {
  readonly furniture: Furniture
  readonly key: string
  /** Of the console's pages. */
  readonly origin: string
  /** To the port where one is given, which is another door of the same service. */
  readonly send: (method: string, asked: Asked, headers: Headers, port?: number) => Promise<Answer>
  /** Opens what does not end; the answer closes it. */
  readonly hold: (target: string, bearer: string) => Promise<() => void>
  readonly now: () => number
  readonly pass: (ms: number) => Promise<void>
  /** Of an authenticator, and not used yet. */
  readonly nextCode: (seed: string) => Promise<string>
  /** The token of an invitation to the console. */
  readonly invite: (organisation: string | null, emailAddress: string, role: Role) => Promise<string>
  readonly newTenant: () => Promise<string>
  readonly keyOf: (tenant: string) => Promise<string>
  readonly keyWithRate: (perMinute: number) => Promise<string>
  readonly publish: (attributes: readonly string[]) => Promise<string>
  /** Whose keys are not there yet. */
  readonly unpublishedDefinition: () => Promise<string>
  /** Of an organisation whose name is not on the ledger. */
  readonly keyOfUnready: () => Promise<string>
  /** One that its holder has not completed. */
  readonly waitingConnection: () => Promise<string>
  readonly inside: (why: OnlyInside) => Inside
  readonly close: () => Promise<void>
}

/** Why a case cannot be shown on a service that is reached over the wire alone. */
export type OnlyInside =
  | 'a clock that is set'
  | 'a handler that fails'
  | 'a caller who goes while the request is under way'
  | 'a ledger that holds an answer back'
  | 'a record in a state that takes days or a fault'
  | 'an organisation with five hundred people'
  | 'a service that calls no private addresses'
  | 'the sandbox of face checks'
  | 'a map of shards of the case alone'
  | 'another server'
  | 'a ledger with an agreement'

/** What can be done to a service in the process of the test. */
export type Inside = {
  readonly api: ApiOnMemory
  /** The port of one more server before this door. */
  readonly serve: (door: FrontDoor, start?: typeof startUwsServer) => Promise<number>
}

/** The case is left out here. */
export class LeftOut extends Error {
  readonly why: OnlyInside
  constructor(why: OnlyInside) {
    super(`it takes ${why}`)
    this.why = why
  }
}
