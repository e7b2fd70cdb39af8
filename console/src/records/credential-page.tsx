import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { Credential } from '../api/generated/operations.ts'
import { useDefinitionNames } from '../lists/definition-names.ts'
import { StateBadge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copy-button.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { EXPIRES_AT } from '../setup/value-kinds.ts'
import { placeOf } from '../state/places.ts'
import { usePerson } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { usePace } from '../state/use-pace.ts'
import { exactTime, texts } from '../texts/texts.ts'
import { BiometricFacts } from './biometric-facts.tsx'
import { DangerButton } from './danger-button.tsx'
import { isOver, paceOf } from './exchange-states.ts'
import { RecordView } from './record-view.tsx'
import { Timeline } from './timeline.tsx'

const said = texts.credential
/** What a date can hold. */
const TIME_MAX_MS = 8.64e15
const LIST = { to: '/console/credentials', text: texts.pages.credentials }

export const CredentialPage = () => {
  const { id = '' } = useRoute().params
  const [state, setState] = useState<string>()
  const everyMs = usePace(paceOf(state))
  const loaded = useAnswer('getCredential', { path: { id } }, { everyMs })
  const timeline = useAnswer('getCredentialTimeline', { path: { id } }, { everyMs })
  if (loaded.body !== null && loaded.body.state !== state) setState(loaded.body.state)
  const again = (): void => {
    loaded.again()
    timeline.again()
  }
  return (
    <RecordView loaded={loaded} list={LIST}>
      {(credential) => (
        <>
          <PageHead
            title={credential.externalId ?? said.title}
            back={LIST}
            beside={<StateBadge state={credential.state} />}
          >
            <Actions credential={credential} onDone={again} />
          </PageHead>
          {credential.errorMessage !== null && (
            <Notice tone="warn" title={texts.records.error}>
              <p>{credential.errorMessage}</p>
            </Notice>
          )}
          <div class="two">
            <div class="stack wide">
              <About credential={credential} />
              <Attributes attributes={credential.attributes} />
              <BiometricFacts biometric={credential.biometric} />
            </div>
            <Timeline loaded={timeline} />
          </div>
        </>
      )}
    </RecordView>
  )
}

const Actions = ({ credential, onDone }: { credential: Credential; onDone: () => void }) => {
  const { id, state, erasedAt } = credential
  if (!usePerson().mayChange) return null
  const takes = { path: { id } }
  if (!isOver(state))
    return <DangerButton operation="cancelCredential" takes={takes} said={said.cancel} onDone={onDone} />
  if (erasedAt !== null) return null
  return <DangerButton operation="eraseCredential" takes={takes} said={said.erase} onDone={onDone} />
}

const About = ({ credential }: { credential: Credential }) => {
  const nameOf = useDefinitionNames()
  const { id, connectionId, credentialDefinitionId, externalId, erasedAt, createdAt, updatedAt } = credential
  return (
    <section class="card">
      <h2>{texts.records.about}</h2>
      <Facts
        facts={[
          { name: texts.records.id, value: <Copyable text={id} what={texts.records.id} /> },
          { name: texts.records.externalId, value: externalId },
          { name: texts.credentials.definition, value: nameOf(credentialDefinitionId) },
          {
            name: texts.records.connection,
            value: connectionId && (
              <a href={placeOf.connection(connectionId)}>
                <code>{connectionId}</code>
              </a>
            ),
          },
          { name: texts.records.createdAt, value: <Moment at={createdAt} /> },
          { name: texts.records.updatedAt, value: <Moment at={updatedAt} /> },
          { name: texts.records.erasedAt, value: erasedAt && <Moment at={erasedAt} /> },
        ]}
      />
    </section>
  )
}

const Attributes = ({ attributes }: Pick<Credential, 'attributes'>) => (
  <section class="card">
    <h2>{said.attributes}</h2>
    {attributes === null ? (
      <p class="quiet">{said.attributesErased}</p>
    ) : (
      <Facts
        facts={Object.entries(attributes).map(([name, value]) => ({
          name,
          value: name === EXPIRES_AT ? <LastSecond seconds={value} /> : value,
        }))}
      />
    )}
  </section>
)

/** As it is signed, and as people say it; what is no time is left as it is. */
const LastSecond = ({ seconds }: { readonly seconds: string }) => {
  const ms = Number(seconds) * 1_000
  const isTime = Number.isFinite(ms) && Math.abs(ms) < TIME_MAX_MS
  return (
    <>
      {seconds}
      {isTime && <div class="quiet small">{exactTime(new Date(ms).toISOString())}</div>}
    </>
  )
}
