import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { definitionName } from '../lists/definition-names.ts'
import { StateBadge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copy-button.tsx'
import { Facts } from '../parts/facts.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { DangerButton } from '../records/danger-button.tsx'
import { RecordView } from '../records/record-view.tsx'
import { usePerson } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { usePace } from '../state/use-pace.ts'
import { fill, numberText, texts, wordsOf } from '../texts/texts.ts'
import { Publishing, publishingPace } from './publishing.tsx'

const said = texts.definition
const LIST = { to: '/console/definitions', text: texts.pages.definitions }

export const DefinitionPage = () => {
  const { id = '' } = useRoute().params
  const [status, setStatus] = useState<string>()
  const everyMs = usePace(publishingPace(status))
  const loaded = useAnswer('getCredentialDefinition', { path: { id } }, { everyMs })
  if (loaded.body !== null && loaded.body.status !== status) setStatus(loaded.body.status)
  const { mayChange } = usePerson()
  return (
    <RecordView loaded={loaded} list={LIST}>
      {(definition) => (
        <>
          <PageHead
            title={definitionName(definition)}
            back={LIST}
            beside={<StateBadge state={definition.status} />}
          >
            {mayChange && definition.status === 'published' && (
              <DangerButton
                operation="deprecateCredentialDefinition"
                takes={{ path: { id } }}
                said={said.deprecate}
                onDone={loaded.again}
              />
            )}
          </PageHead>
          <Publishing
            id={id}
            status={definition.status}
            lastError={definition.lastError}
            retry="retryCredentialDefinition"
            onRetried={loaded.again}
          />
          {definition.status === 'pending' && <Keys id={id} everyMs={everyMs} />}
          <section class="card">
            <h2>{texts.records.about}</h2>
            <Facts
              facts={[
                { name: texts.records.id, value: <Copyable text={id} what={texts.records.id} /> },
                { name: said.schema, value: `${definition.schemaName} ${definition.schemaVersion}` },
                { name: said.tag, value: definition.tag },
                {
                  name: texts.schema.ledgerId,
                  value: definition.credentialDefinitionId && (
                    <code>{definition.credentialDefinitionId}</code>
                  ),
                },
                {
                  name: texts.schema.qualifiedId,
                  value: definition.qualifiedId && <code>{definition.qualifiedId}</code>,
                },
              ]}
            />
          </section>
        </>
      )}
    </RecordView>
  )
}

/** Making the keys is what takes long; who waits sees that it goes on. */
const Keys = ({ id, everyMs }: { readonly id: string; readonly everyMs: number }) => {
  const { body } = useAnswer('getKeyGeneration', { path: { id } }, { everyMs })
  if (body === null) return null
  const { state, runningSeconds } = body
  const seconds = runningSeconds === null ? '' : numberText(runningSeconds)
  return <p role="status">{fill(wordsOf(said.keys, state), { seconds })}</p>
}
