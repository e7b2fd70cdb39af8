import { useState } from 'preact/hooks'
import type { WebhookEndpoint } from '../api/generated/operations.ts'
import { LinkButton } from '../parts/button.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { DangerButton } from '../records/danger-button.tsx'
import { usePerson } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { fill, shortTime, texts } from '../texts/texts.ts'
import { TestWebhook } from './test-webhook.tsx'
import { WebhookForm } from './webhook-form.tsx'

const said = texts.webhook

export const WebhookPage = () => {
  const { body, problem, again } = useAnswer('getWebhook', {})
  const { mayChange } = usePerson()
  const [secret, setSecret] = useState<string | null>(null)
  const show = (answered: object): void => {
    if ('secret' in answered && typeof answered.secret === 'string') setSecret(answered.secret)
    again()
  }
  return (
    <>
      <PageHead title={texts.pages.webhook} lead={said.lead}>
        <LinkButton to="/console/deliveries">{texts.pages.deliveries}</LinkButton>
      </PageHead>
      {body === null && <ProblemNotice problem={problem} />}
      {body && (
        <div class="two">
          <div class="stack wide">
            {mayChange && <WebhookForm key={body.updatedAt} endpoint={body} onSet={show} />}
            {body.url !== null && <TestWebhook mayChange={mayChange} />}
          </div>
          {body.url === null ? (
            <Notice>
              <p>{said.none}</p>
            </Notice>
          ) : (
            <Endpoint endpoint={body} onChange={show} />
          )}
        </div>
      )}
      {secret !== null && (
        <SecretDialog
          title={said.secretTitle}
          text={said.secret}
          secret={secret}
          onKept={() => setSecret(null)}
        />
      )}
    </>
  )
}

type EndpointProps = { readonly endpoint: WebhookEndpoint; readonly onChange: (answered: object) => void }

const Endpoint = ({ endpoint, onChange }: EndpointProps) => {
  const { url, eventTypes, secretCreatedAt, previousSecretExpiresAt, disabledAt } = endpoint
  const { mayChange } = usePerson()
  return (
    <section class="card stack">
      <h2>{said.inForce}</h2>
      <Facts
        facts={[
          { name: said.url, value: <code>{url}</code> },
          { name: said.events, value: eventTypes === null ? said.allEvents : eventTypes.join(', ') },
          { name: said.secretCreatedAt, value: <Moment at={secretCreatedAt} /> },
          { name: said.disabledAt, value: disabledAt && <Moment at={disabledAt} /> },
        ]}
      />
      {previousSecretExpiresAt !== null && (
        <Notice tone="warn">
          <p>{fill(said.twoSecrets, { until: shortTime(previousSecretExpiresAt) })}</p>
        </Notice>
      )}
      {mayChange && (
        <div class="row">
          <DangerButton operation="rotateWebhookSecret" takes={{}} said={said.rotate} onDone={onChange} />
          <DangerButton operation="removeWebhook" takes={{}} said={said.remove} onDone={onChange} />
        </div>
      )}
    </section>
  )
}
