import { AnonCredsDidCommProofFormatService } from '@credo-ts/anoncreds'
import { DidCommAttachment, DidCommAttachmentData, DidCommProofFormatSpec } from '@credo-ts/didcomm'

const PRESENTATION = 'anoncreds/proof@v1.0'

type Options<Method extends 'acceptRequest' | 'selectCredentialsForRequest'> = Parameters<
  AnonCredsDidCommProofFormatService[Method]
>[1]
type Context = Parameters<AnonCredsDidCommProofFormatService['acceptRequest']>[0]

/** What a dishonest wallet pretends it was asked, and what it makes of its own presentation. */
export type Cheat = {
  readonly request?: (request: Request) => void
  readonly presentation?: (presentation: Presentation) => void
  /** Sent whatever the wallet was asked and whatever it holds. */
  readonly instead?: object
}

export type Request = {
  requested_attributes: Record<string, { restrictions: object[] }>
  requested_predicates: Record<
    string,
    { name: string; p_type: string; p_value: number; restrictions: object[] }
  >
}

export type Presentation = {
  proof: { proofs: { primary_proof: { ge_proofs: { predicate: { attr_name: string; value: number } }[] } }[] }
  requested_proof: {
    revealed_attr_groups: Record<string, { values: Record<string, { raw: string; encoded: string }> }>
  }
}

/** For tests of verifiers: Credo's own proofs, made for a request and sent in a form that its owner has a hand in. */
export class DishonestProofFormat extends AnonCredsDidCommProofFormatService {
  cheat: Cheat = {}

  override async selectCredentialsForRequest(
    context: Context,
    options: Options<'selectCredentialsForRequest'>,
  ) {
    if (this.cheat.instead !== undefined)
      return { attributes: {}, predicates: {}, selfAttestedAttributes: {} }
    return await super.selectCredentialsForRequest(context, {
      ...options,
      requestAttachment: changed(options.requestAttachment, this.cheat.request),
    })
  }

  override async acceptRequest(context: Context, options: Options<'acceptRequest'>) {
    if (this.cheat.instead !== undefined) return made(this.cheat.instead, options.attachmentId)
    const requestAttachment = changed(options.requestAttachment, this.cheat.request)
    const { attachment, format } = await super.acceptRequest(context, { ...options, requestAttachment })
    return { attachment: changed(attachment, this.cheat.presentation), format }
  }
}

const made = (presentation: object, attachmentId?: string) => {
  const format = new DidCommProofFormatSpec({
    format: PRESENTATION,
    ...(attachmentId !== undefined && { attachmentId }),
  })
  return { attachment: attachmentOf(format.attachmentId, presentation), format }
}

const changed = (attachment: DidCommAttachment, change: ((content: never) => void) | undefined) => {
  if (change === undefined) return attachment
  const content = attachment.getDataAsJson<object>()
  change(content as never)
  return attachmentOf(attachment.id, content)
}

const attachmentOf = (id: string, content: object) => {
  const base64 = Buffer.from(JSON.stringify(content)).toString('base64')
  const data = new DidCommAttachmentData({ base64 })
  return new DidCommAttachment({ id, mimeType: 'application/json', data })
}
