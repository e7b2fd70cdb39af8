import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { Organisation } from '../api/generated/operations.ts'
import { StateBadge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Copyable } from '../parts/copy-button.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { DangerButton } from '../records/danger-button.tsx'
import { RecordView } from '../records/record-view.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { exactTime, fill, texts } from '../texts/texts.ts'
import { ActDialog } from './act-dialog.tsx'
import { CeilingForm } from './ceiling-form.tsx'
import { DeletionDialog } from './deletion-dialog.tsx'
import { FirstAdministrator } from './first-administrator.tsx'
import { OrganisationSettings } from './organisation-settings.tsx'

const said = texts.organisation
const LIST = { to: '/console/organisations', text: texts.pages.organisations }

/** What operators decide about an organisation; its own records they see only while they act for it. */
export const OrganisationPage = () => {
  const { id = '' } = useRoute().params
  const loaded = useAnswer('getTenant', { path: { id } })
  return (
    <RecordView loaded={loaded} list={LIST}>
      {(organisation) => (
        <>
          <PageHead
            title={organisation.name ?? id}
            back={LIST}
            beside={<StateBadge state={organisation.status} />}
          >
            <Actions organisation={organisation} onDone={loaded.again} />
          </PageHead>
          {organisation.deletesAt !== null && (
            <Notice tone="warn" title={fill(said.deletesAt, { at: exactTime(organisation.deletesAt) })} />
          )}
          <div class="two">
            <div class="stack wide">
              <OrganisationSettings
                key={organisation.updatedAt}
                organisation={organisation}
                onSet={loaded.again}
              />
              <CeilingForm id={id} />
            </div>
            <div class="stack wide">
              <About organisation={organisation} />
              <FirstAdministrator organisation={organisation} />
            </div>
          </div>
        </>
      )}
    </RecordView>
  )
}

const About = ({ organisation }: { organisation: Organisation }) => {
  const { id, did, registered, lastError, createdAt, updatedAt } = organisation
  return (
    <section class="card">
      <h2>{texts.records.about}</h2>
      <Facts
        facts={[
          { name: texts.records.id, value: <Copyable text={id} what={texts.records.id} /> },
          { name: said.did, value: <code>{did}</code> },
          { name: said.registered, value: registered ? texts.common.yes : texts.common.no },
          { name: texts.records.error, value: lastError },
          { name: texts.records.createdAt, value: <Moment at={createdAt} /> },
          { name: texts.records.updatedAt, value: <Moment at={updatedAt} /> },
        ]}
      />
    </section>
  )
}

type ActionsProps = { readonly organisation: Organisation; readonly onDone: () => void }

const Actions = ({ organisation, onDone }: ActionsProps) => {
  const { id, status } = organisation
  const [asked, setAsked] = useState<'act' | 'delete' | null>(null)
  const takes = { path: { id } }
  const close = (): void => setAsked(null)
  return (
    <>
      {status === 'active' && (
        <DangerButton operation="suspendTenant" takes={takes} said={said.suspend} onDone={onDone} />
      )}
      {status === 'suspended' && (
        <DangerButton operation="resumeTenant" takes={takes} said={said.resume} look="main" onDone={onDone} />
      )}
      {(status === 'active' || status === 'suspended') && (
        <Button onPress={() => setAsked('delete')}>{said.delete.button}</Button>
      )}
      {status === 'deletion_ordered' && (
        <DangerButton
          operation="restoreTenant"
          takes={takes}
          said={said.restore}
          look="main"
          onDone={onDone}
        />
      )}
      <LinkButton to={`/console/operator-audit?organisation=${encodeURIComponent(id)}`}>
        {texts.pages.audit}
      </LinkButton>
      <LinkButton to={`/console/keys?tenantId=${encodeURIComponent(id)}`}>{texts.pages.keys}</LinkButton>
      <Button look="main" onPress={() => setAsked('act')}>
        {texts.organisations.act}
      </Button>
      {asked === 'act' && <ActDialog organisation={organisation} onClose={close} />}
      {asked === 'delete' && (
        <DeletionDialog
          organisation={organisation}
          onClose={close}
          onDone={() => {
            close()
            onDone()
          }}
        />
      )}
    </>
  )
}
