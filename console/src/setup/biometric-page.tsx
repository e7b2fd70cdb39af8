import { useState } from 'preact/hooks'
import type { BiometricPolicy, Gives } from '../api/generated/operations.ts'
import { useDefinitionNames } from '../lists/definition-names.ts'
import { Button } from '../parts/button.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { usePerson } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'
import { BiometricForm } from './biometric-form.tsx'

const said = texts.policy

export const BiometricPage = () => {
  const { body, problem, again } = useAnswer('getBiometricPolicy', {})
  const { mayChange, acting } = usePerson()
  return (
    <>
      <PageHead title={texts.pages.biometric} lead={said.lead} />
      {body === null && <ProblemNotice problem={problem} />}
      {body && (
        <div class="two">
          {/* The account of the vendor is a secret, which nobody sets who acts for the organisation. */}
          {mayChange && acting === null && <BiometricForm key={body.updatedAt} policy={body} onSet={again} />}
          <div class="stack wide">
            <InForce policy={body} />
            {mayChange && body.vendor !== 'none' && <Trial />}
          </div>
        </div>
      )}
    </>
  )
}

const InForce = ({ policy }: { policy: BiometricPolicy }) => {
  const nameOf = useDefinitionNames()
  const { vendor, hasCredentials, credentialDefinitionIds, updatedAt } = policy
  const definitions = credentialDefinitionIds.map(nameOf)
  return (
    <section class="card">
      <h2>{said.inForce}</h2>
      <Facts
        facts={[
          { name: said.vendor, value: said.vendors[vendor] },
          { name: said.secrets, value: hasCredentials ? said.entered : said.notEntered },
          { name: said.definitions, value: definitions.length === 0 ? said.none : definitions.join(', ') },
          { name: texts.records.updatedAt, value: <Moment at={updatedAt} /> },
        ]}
      />
    </section>
  )
}

/** Asks the vendor for everything that a check needs, without a face. */
const Trial = () => {
  const [trial, setTrial] = useState<Gives['testBiometricPolicy'] | null>(null)
  const order = useOrder('testBiometricPolicy')
  const test = async (): Promise<void> => setTrial(await order.give({}))
  return (
    <section class="card stack">
      <h2>{said.tryTitle}</h2>
      <p class="quiet">{said.tryText}</p>
      <ProblemNotice problem={order.problem} />
      {trial && (
        <Notice tone={trial.works ? 'good' : 'bad'} title={trial.works ? said.works : said.fails}>
          <ul>
            {trial.problems.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div class="row">
        <Button isBusy={order.isUnderWay} onPress={() => void test()}>
          {said.tryButton}
        </Button>
      </div>
    </section>
  )
}
