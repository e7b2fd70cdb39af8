/**
 * Wraps the tenants' keys. A file on this machine is one implementation; a cloud KMS can stand behind the same port,
 * because keys are only named here and never handed out.
 */
export interface MasterKeys {
  /** Ids of the keys that can wrap and unwrap now; the one for new keys is last. */
  ids(): Promise<readonly string[]>
  /** Reads the keys again from their source: a rotation on another node may have added one. */
  refresh(): Promise<void>
  wrap(id: string, plain: Buffer, context: string): Promise<Buffer>
  /** Throws MasterKeyMissing for an id that is not held. */
  unwrap(id: string, wrapped: Buffer, context: string): Promise<Buffer>
}

/** Retryable, because it works once the operator has brought the key. */
export class MasterKeyMissing extends Error {
  override readonly name = 'MasterKeyMissing'
  readonly retryable = true
  constructor(id: string, where: string) {
    super(
      `The key store needs the master key ${id}, which is not in ${where}: copy the current key file there.`,
    )
  }
}
