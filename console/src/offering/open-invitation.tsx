import type { Invitation } from '../api/generated/operations.ts'
import { StateBadge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { QrCode } from '../parts/qr-code.tsx'
import { placeOf } from '../state/places.ts'
import { useAnswer } from '../state/use-answer.ts'
import { usePace } from '../state/use-pace.ts'
import { texts } from '../texts/texts.ts'

const said = texts.invite
const WATCHED_MS = 2_000

type OpenInvitationProps = { readonly invitation: Invitation; readonly onAnother: () => void }

/** The code for the holder's camera, and who has answered so far. */
export const OpenInvitation = ({ invitation, onAnother }: OpenInvitationProps) => {
  const { invitationId, invitationUrl, multiUse } = invitation
  const { body } = useAnswer('listConnections', { query: { invitationId } }, { everyMs: usePace(WATCHED_MS) })
  const answered = body?.items ?? []
  return (
    <div class="two">
      <section class="card stack">
        <h2>{said.scan}</h2>
        <QrCode text={invitationUrl} label={said.qr} isLarge />
        <p class="quiet small">{multiUse ? said.scanMany : said.scanOne}</p>
        <div class="row">
          <CopyButton text={invitationUrl} label={said.copyLink} />
          <Button look="plain" isSmall onPress={onAnother}>
            {said.another}
          </Button>
        </div>
      </section>
      <section class="card stack" aria-live="polite">
        <h2>{said.answered}</h2>
        {answered.length === 0 && <p class="quiet">{said.waiting}</p>}
        <ul class="stack">
          {answered.map(({ id, theirLabel, state }) => (
            <li key={id} class="row apart">
              <span class="row">
                <a href={placeOf.connection(id)}>{theirLabel ?? id}</a>
                <StateBadge state={state} />
              </span>
              {state === 'completed' && (
                <LinkButton to={`/console/credentials/new?connectionId=${encodeURIComponent(id)}`} isSmall>
                  {texts.offer.create}
                </LinkButton>
              )}
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
