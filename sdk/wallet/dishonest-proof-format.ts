import { AnonCredsDidCommProofFormatService } from '@credo-ts/anoncreds'
import { DidCommAttachment, DidCommAttachmentData } from '@credo-ts/didcomm'

type Options<Method extends 'acceptRequest' | 'selectCredentialsForRequest'> = Parameters<
  AnonCredsDidCommProofFormatService[Method]
>[1]
type Context = Parameters<AnonCredsDidCommProofFormatService['acceptRequest']>[0]

/** What a dishonest wallet pretends it was asked, and what it makes of its own presentation. */
export type Cheat = {
  readonly request?: (request: Request) => void
  readonly presentation?: (presentation: Presentation) => void
}

export type Request = {
  requested_attributes: Record<string, { restrictions: object[] }>
  requested_predicates: Record<string, { name: string; p_value: number; restrictions: object[] }>
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
    return await super.selectCredentialsForRequest(context, {
      ...options,
      requestAttachment: changed(options.requestAttachment, this.cheat.request),
    })
  }

  override async acceptRequest(context: Context, options: Options<'acceptRequest'>) {
    const requestAttachment = changed(options.requestAttachment, this.cheat.request)
    const { attachment, format } = await super.acceptRequest(context, { ...options, requestAttachment })
    return { attachment: changed(attachment, this.cheat.presentation), format }
  }
}

const changed = (attachment: DidCommAttachment, change: ((content: never) => void) | undefined) => {
  if (change === undefined) return attachment
  const content = attachment.getDataAsJson<object>()
  change(content as never)
  const base64 = Buffer.from(JSON.stringify(content)).toString('base64')
  const data = new DidCommAttachmentData({ base64 })
  return new DidCommAttachment({ id: attachment.id, mimeType: 'application/json', data })
}
