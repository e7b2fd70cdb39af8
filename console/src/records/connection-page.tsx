import { useRoute } from 'preact-iso'
import type { Connection } from '../api/generated/operations.ts'
import { credentialColumns } from '../lists/credentials-page.tsx'
import { useDefinitionNames, useTemplateNames } from '../lists/definition-names.ts'
import { proofColumns } from '../lists/proofs-page.tsx'
import { Table } from '../parts/table.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Copyable } from '../parts/copy-button.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { usePerson } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { usePace } from '../state/use-pace.ts'
import { counted, texts } from '../texts/texts.ts'
import { DangerButton } from './danger-button.tsx'
import { RecordView } from './record-view.tsx'
import { Timeline } from './timeline.tsx'

const said = texts.connection
const LIST = { to: '/console/connections', text: texts.pages.connections }
const EVERY_MS = 5_000

/** A connection with all its exchanges: what support looks at when a holder calls. */
export const ConnectionPage = () => {
  const { id = '' } = useRoute().params
  const everyMs = usePace(EVERY_MS)
  const loaded = useAnswer('getConnection', { path: { id } }, { everyMs })
  const timeline = useAnswer('getConnectionTimeline', { path: { id } }, { everyMs })
  const { mayChange } = usePerson()
  return (
    <RecordView loaded={loaded} list={LIST}>
      {(connection) => (
        <>
          <PageHead
            title={connection.theirLabel ?? connection.externalId ?? said.title}
            back={LIST}
            beside={<StateBadge state={connection.state} />}
          >
            {mayChange && connection.state === 'completed' && (
              <>
                <LinkButton to={`/console/proofs/new?connectionId=${encodeURIComponent(id)}`}>
                  {texts.request.create}
                </LinkButton>
                <LinkButton
                  to={`/console/credentials/new?connectionId=${encodeURIComponent(id)}`}
                  look="main"
                >
                  {texts.offer.create}
                </LinkButton>
              </>
            )}
            {mayChange && connection.erasedAt === null && (
              <DangerButton
                operation="eraseConnection"
                takes={{ path: { id } }}
                said={said.erase}
                onDone={loaded.again}
              />
            )}
          </PageHead>
          <div class="two">
            <div class="stack wide">
              <About connection={connection} />
              <Credentials connectionId={id} />
              <Proofs connectionId={id} />
            </div>
            <Timeline loaded={timeline} />
          </div>
        </>
      )}
    </RecordView>
  )
}

const About = ({ connection }: { connection: Connection }) => {
  const { id, theirLabel, externalId, invitationId, erasedAt, createdAt, updatedAt } = connection
  return (
    <section class="card">
      <h2>{texts.records.about}</h2>
      <Facts
        facts={[
          { name: texts.records.id, value: <Copyable text={id} what={texts.records.id} /> },
          { name: texts.connections.holder, value: theirLabel },
          { name: texts.records.externalId, value: externalId },
          {
            name: said.invitation,
            value: invitationId && (
              <a href={`/console/connections?invitationId=${encodeURIComponent(invitationId)}`}>
                <code>{invitationId}</code>
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

const Credentials = ({ connectionId }: { connectionId: string }) => {
  const nameOf = useDefinitionNames()
  const { body } = useAnswer('listCredentials', { query: { connectionId } }, { everyMs: usePace(EVERY_MS) })
  if (body === null) return null
  return (
    <section class="stack tight">
      <div class="row apart">
        <h2>{counted(said.credentials, body.total)}</h2>
        {body.total > 0 && (
          <a href={`/console/credentials?connectionId=${encodeURIComponent(connectionId)}`}>{said.all}</a>
        )}
      </div>
      {body.total > 0 && (
        <Table
          label={texts.pages.credentials}
          columns={credentialColumns(nameOf).slice(0, 4)}
          items={body.items}
          keyOf={({ id }) => id}
        />
      )}
    </section>
  )
}

const Proofs = ({ connectionId }: { connectionId: string }) => {
  const { nameOf } = useTemplateNames()
  const { body } = useAnswer('listProofs', { query: { connectionId } }, { everyMs: usePace(EVERY_MS) })
  if (body === null) return null
  return (
    <section class="stack tight">
      <div class="row apart">
        <h2>{counted(said.proofs, body.total)}</h2>
        {body.total > 0 && (
          <a href={`/console/proofs?connectionId=${encodeURIComponent(connectionId)}`}>{said.all}</a>
        )}
      </div>
      {body.total > 0 && (
        <Table
          label={texts.pages.proofs}
          columns={proofColumns(nameOf).slice(0, 4)}
          items={body.items}
          keyOf={({ id }) => id}
        />
      )}
    </section>
  )
}
