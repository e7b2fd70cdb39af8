import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { StateBadge } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Copyable } from '../parts/copy-button.tsx'
import { Facts } from '../parts/facts.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { DangerButton } from '../records/danger-button.tsx'
import { RecordView } from '../records/record-view.tsx'
import { usePerson } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { usePace } from '../state/use-pace.ts'
import { texts } from '../texts/texts.ts'
import { Publishing, publishingPace } from './publishing.tsx'

const said = texts.schema
const LIST = { to: '/console/schemas', text: texts.pages.schemas }

export const SchemaPage = () => {
  const { id = '' } = useRoute().params
  const [status, setStatus] = useState<string>()
  const loaded = useAnswer('getSchema', { path: { id } }, { everyMs: usePace(publishingPace(status)) })
  if (loaded.body !== null && loaded.body.status !== status) setStatus(loaded.body.status)
  const { mayChange } = usePerson()
  return (
    <RecordView loaded={loaded} list={LIST}>
      {(schema) => (
        <>
          <PageHead
            title={`${schema.name} ${schema.version}`}
            back={LIST}
            beside={<StateBadge state={schema.status} />}
          >
            {mayChange && schema.status === 'published' && (
              <>
                <DangerButton
                  operation="deprecateSchema"
                  takes={{ path: { id } }}
                  said={said.deprecate}
                  onDone={loaded.again}
                />
                <LinkButton to={`/console/definitions/new?schema=${encodeURIComponent(id)}`} look="main">
                  {said.toDefinition}
                </LinkButton>
              </>
            )}
          </PageHead>
          <Publishing
            id={id}
            status={schema.status}
            lastError={schema.lastError}
            retry="retrySchema"
            onRetried={loaded.again}
          />
          <section class="card">
            <h2>{texts.records.about}</h2>
            <Facts
              facts={[
                { name: texts.records.id, value: <Copyable text={id} what={texts.records.id} /> },
                {
                  name: said.attributes,
                  value: (
                    <ul class="names-list">
                      {schema.attributes?.map((name) => (
                        <li key={name}>
                          <code>{name}</code>
                        </li>
                      ))}
                    </ul>
                  ),
                },
                { name: said.ledgerId, value: schema.schemaId && <code>{schema.schemaId}</code> },
                { name: said.qualifiedId, value: schema.qualifiedId && <code>{schema.qualifiedId}</code> },
              ]}
            />
          </section>
        </>
      )}
    </RecordView>
  )
}
