import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { Proof } from '../api/generated/operations.ts'
import { useTemplateNames } from '../lists/definition-names.ts'
import { resultOf } from '../lists/proofs-page.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copy-button.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { placeOf } from '../state/places.ts'
import { usePerson } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { usePace } from '../state/use-pace.ts'
import { texts } from '../texts/texts.ts'
import { BiometricFacts } from './biometric-facts.tsx'
import { DangerButton } from './danger-button.tsx'
import { isOver, paceOf } from './exchange-states.ts'
import { RecordView } from './record-view.tsx'
import { Timeline } from './timeline.tsx'

const said = texts.proof
const LIST = { to: '/console/proofs', text: texts.pages.proofs }

export const ProofPage = () => {
  const { id = '' } = useRoute().params
  const [state, setState] = useState<string>()
  const everyMs = usePace(paceOf(state))
  const loaded = useAnswer('getProof', { path: { id } }, { everyMs })
  const timeline = useAnswer('getProofTimeline', { path: { id } }, { everyMs })
  if (loaded.body !== null && loaded.body.state !== state) setState(loaded.body.state)
  const again = (): void => {
    loaded.again()
    timeline.again()
  }
  return (
    <RecordView loaded={loaded} list={LIST}>
      {(proof) => (
        <>
          <PageHead
            title={proof.externalId ?? said.title}
            back={LIST}
            beside={<StateBadge state={resultOf(proof) ?? proof.state} />}
          >
            <Actions proof={proof} onDone={again} />
          </PageHead>
          {proof.errorMessage !== null && (
            <Notice tone="warn" title={texts.records.error}>
              <p>{proof.errorMessage}</p>
            </Notice>
          )}
          <div class="two">
            <div class="stack wide">
              <About proof={proof} />
              <Disclosed proof={proof} />
              <BiometricFacts biometric={proof.biometric} />
            </div>
            <Timeline loaded={timeline} />
          </div>
        </>
      )}
    </RecordView>
  )
}

const Actions = ({ proof, onDone }: { proof: Proof; onDone: () => void }) => {
  const { id, state, erasedAt } = proof
  if (!usePerson().mayChange) return null
  const takes = { path: { id } }
  if (!isOver(state))
    return <DangerButton operation="cancelProof" takes={takes} said={said.cancel} onDone={onDone} />
  if (erasedAt !== null) return null
  return <DangerButton operation="eraseProof" takes={takes} said={said.erase} onDone={onDone} />
}

const About = ({ proof }: { proof: Proof }) => {
  const { nameOf } = useTemplateNames()
  const { id, connectionId, proofTemplateId, externalId, erasedAt, createdAt, updatedAt } = proof
  return (
    <section class="card">
      <h2>{texts.records.about}</h2>
      <Facts
        facts={[
          { name: texts.records.id, value: <Copyable text={id} what={texts.records.id} /> },
          { name: texts.records.externalId, value: externalId },
          { name: texts.proofs.template, value: nameOf(proofTemplateId) },
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

/** What the holder has shown, group by group. */
const Disclosed = ({ proof: { disclosed, erasedAt } }: { proof: Proof }) => (
  <section class="card">
    <h2>{said.disclosed}</h2>
    {disclosed === null ? (
      <p class="quiet">{erasedAt === null ? said.nothingYet : said.disclosedErased}</p>
    ) : (
      Object.entries(disclosed).map(([group, values]) => (
        <div key={group} class="stack tight">
          <h3>{group}</h3>
          <Facts facts={Object.entries(values).map(([name, value]) => ({ name, value }))} />
        </div>
      ))
    )}
  </section>
)
