import type { MemberWithLink } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { fill, shortTime, texts } from '../texts/texts.ts'

const said = texts.members

type InvitationLinkProps = {
  readonly invited: MemberWithLink
  /** Whose link it is. */
  readonly title?: string
  readonly onClose: () => void
}

/** The link, this once: the service sends no mail. */
export const InvitationLink = ({ invited, title = said.linkTitle, onClose }: InvitationLinkProps) => {
  const { invitationLink, linkExpiresAt, emailAddress } = invited
  const values = {
    address: emailAddress ?? '',
    until: linkExpiresAt === null ? '' : shortTime(linkExpiresAt),
  }
  return (
    <Dialog title={title}>
      <p>{invitationLink === null ? said.linkGone : fill(said.link, values)}</p>
      {invitationLink !== null && (
        <>
          <p class="codes">
            <span>{invitationLink}</span>
          </p>
          <div class="row">
            <CopyButton text={invitationLink} what={title} />
          </div>
        </>
      )}
      <div class="actions">
        <Button look="main" onPress={onClose}>
          {texts.common.close}
        </Button>
      </div>
    </Dialog>
  )
}
