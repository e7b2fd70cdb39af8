import type { Member } from '../api/generated/operations.ts'
import { texts } from '../texts/texts.ts'

type PersonNameProps = { readonly member: Member; readonly isMe: boolean }

/** A name where one was given, and the address. */
export const PersonName = ({ member: { name, emailAddress }, isMe }: PersonNameProps) => (
  <>
    {name ?? emailAddress}
    {isMe && <span class="quiet small"> {texts.members.you}</span>}
    {name !== null && <div class="quiet small">{emailAddress}</div>}
  </>
)
