/**
 * What wraps the tenants' keys. The file of this machine is one implementation; a cloud KMS can stand behind the same
 * port, because keys are only named here and never handed out.
 */
export interface MasterKeys {
  /** Ids that can wrap and unwrap now, the one to be used for new keys last. */
  ids(): Promise<readonly string[]>
  /** Looks again at where the keys come from: another node's rotation may have added one. */
  refresh(): Promise<void>
  wrap(id: string, plain: Buffer, context: string): Promise<Buffer>
  /** Throws MasterKeyMissing for an id that is not held. */
  unwrap(id: string, wrapped: Buffer, context: string): Promise<Buffer>
}

/** Retryable: it mends itself when the operator brings the key. */
export class MasterKeyMissing extends Error {
  readonly retryable = true
  constructor(id: string, where: string) {
    super(
      `The key store needs the master key ${id}, which is not in ${where}: copy the current key file there.`,
    )
    this.name = 'MasterKeyMissing'
  }
}
