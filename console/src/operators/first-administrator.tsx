import { useState } from 'preact/hooks'
import type { MemberWithLink, Organisation } from '../api/generated/operations.ts'
import { Button } from '../parts/button.tsx'
import { Copyable } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { AddressForm } from '../people/address-form.tsx'
import { InvitationLink } from '../people/invitation-link.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { fill, texts } from '../texts/texts.ts'

const said = texts.organisation.administrator

type OfOrganisation = { readonly organisation: Organisation }

/** Who lets people in: an operator the first administrator, administrators everybody else. */
export const FirstAdministrator = ({ organisation }: OfOrganisation) => {
  const { id, status } = organisation
  const [isInviting, setInviting] = useState(false)
  return (
    <section class="card stack">
      <h2>{said.people}</h2>
      <p>{said.text}</p>
      {(status === 'active' || status === 'suspended') && (
        <div class="row">
          <Button onPress={() => setInviting(true)}>{said.button}</Button>
        </div>
      )}
      <p>{said.lost}</p>
      <Copyable text={fill(said.command, { id })} what={said.people} />
      {isInviting && (
        <FirstAdministratorDialog organisation={organisation} onClose={() => setInviting(false)} />
      )}
    </section>
  )
}

type DialogProps = OfOrganisation & { readonly onClose: () => void }

/** Whom to invite, and then the link, this once. */
const FirstAdministratorDialog = ({ organisation, onClose }: DialogProps) => {
  const { id, name } = organisation
  const [draft, change, forget] = useDraft(`first-administrator.${id}`, { emailAddress: '' })
  const [invited, setInvited] = useState<MemberWithLink | null>(null)
  const order = useOrder('inviteFirstAdministrator')
  const invite = async (): Promise<void> => {
    const made = await order.give({ path: { id }, body: { emailAddress: draft.emailAddress.trim() } })
    if (made === null) return
    forget()
    setInvited(made)
  }
  if (invited !== null) return <InvitationLink title={said.linkTitle} invited={invited} onClose={onClose} />
  return (
    <Dialog title={fill(said.title, { name: name ?? id })} onClose={onClose}>
      <p>{said.hint}</p>
      <AddressForm
        emailAddress={draft.emailAddress}
        onChange={(emailAddress) => change({ emailAddress })}
        order={order}
        onSend={() => void invite()}
        onClose={onClose}
      />
    </Dialog>
  )
}
