/** JSON as text, so that definitions keep the exact text under which engines remember them. */
export type JsonText = string

export type CredentialInput = {
  readonly credentialDefinition: JsonText
  readonly credentialDefinitionPrivate: JsonText
  readonly offer: JsonText
  readonly request: JsonText
  /** Raw values by attribute name; the standard encoding is applied here. */
  readonly values: Readonly<Record<string, string>>
}

export type PresentationInput = {
  readonly presentation: JsonText
  readonly request: JsonText
  /** By id; every schema and definition that the presentation names. */
  readonly schemas: Readonly<Record<string, JsonText>>
  readonly credentialDefinitions: Readonly<Record<string, JsonText>>
  /** Private parts of the definitions among them that are our own: verifying with them is faster. */
  readonly privates?: Readonly<Record<string, JsonText>>
}

export type DefinitionInput = {
  readonly schemaId: string
  readonly issuerId: string
  readonly tag: string
  readonly attributes: readonly string[]
}

export type NewDefinition = {
  readonly credentialDefinition: JsonText
  readonly credentialDefinitionPrivate: JsonText
  readonly keyCorrectnessProof: JsonText
}

/** The other side sent something that cannot be signed or read; repeating it does not help. */
export class AnonCredsRefused extends Error {
  override readonly name = 'AnonCredsRefused'
  readonly retryable = false
}

export class AnonCredsUnavailable extends Error {
  override readonly name = 'AnonCredsUnavailable'
  readonly retryable = true
}

/** Too many signatures and verifications wait already. */
export class AnonCredsOverloaded extends Error {
  override readonly name = 'AnonCredsOverloaded'
  readonly code = 'overloaded'
  readonly retryable = true
  constructor() {
    super('too many signatures and verifications are waiting')
  }
}

/** `tenantId` decides whose turn it is when work waits. */
export interface AnonCreds {
  createCredential(tenantId: string, input: CredentialInput): Promise<JsonText>
  /** False for every presentation that does not prove what was requested, malformed ones included. */
  verifyPresentation(tenantId: string, input: PresentationInput): Promise<boolean>
  /** Takes seconds to minutes, one after the other; `begun` is called when its turn has come. */
  generateDefinition(tenantId: string, input: DefinitionInput, begun?: () => void): Promise<NewDefinition>
}
