import type { WalletService } from '../../ports/wallets.ts'
import { didCommServiceOf, type IsCallable, whyUnreachable } from '../did-document.ts'
import { answerTo, isType, type Message } from '../message.ts'
import { documentOfPeer2 } from '../peer-did-2.ts'
import { DID_LENGTH_MAX, documentOfLongForm } from '../peer-did.ts'

const PROTOCOL = 'did-rotate/1.0'

export const isRotation = (message: Message): boolean => isType(message, PROTOCOL, 'rotate')
export const isHangup = (message: Message): boolean => isType(message, PROTOCOL, 'hangup')

export type Rotation = { readonly theirDid: string; readonly theirService: WalletService }
/** With a code of the protocol. */
export type RotationRefused = { readonly code: string; readonly text: string }

/** Where the wallet wants to be written to from now on. Its new DID has to contain its document. */
export const rotationIn = (message: Message, isCallable?: IsCallable): Rotation | RotationRefused => {
  const did = message.body['to_did']
  if (typeof did !== 'string' || did.length > DID_LENGTH_MAX)
    return { code: 'e.did.unresolvable', text: 'The message names no DID.' }
  if (!/^did:peer:[24]/.test(did))
    return {
      code: 'e.did.method_unsupported',
      text: 'A DID must be a did:peer:4 in its long form, or a did:peer:2.',
    }
  const document = documentOfLongForm(did) ?? documentOfPeer2(did)
  if (document === null) return { code: 'e.did.unresolvable', text: 'The DID does not contain its document.' }
  const theirService = didCommServiceOf(document, isCallable)
  return theirService === null ? unsupported(whyUnreachable(document)) : { theirDid: did, theirService }
}

export const unsupported = (text: string): RotationRefused => ({ code: 'e.did.doc_unsupported', text })

export const rotationAck = (message: Message): string => answerTo(message, 'ack', { status: 'OK' })
