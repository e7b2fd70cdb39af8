import type { Biometric } from '../api/generated/operations.ts'
import { StateBadge } from '../parts/badge.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { texts } from '../texts/texts.ts'

const said = texts.biometric

/** The face check of an exchange; nothing where none was wanted. */
export const BiometricFacts = ({ biometric }: { readonly biometric: Biometric | null }) =>
  biometric && (
    <section class="card">
      <h2>{said.title}</h2>
      <Facts
        facts={[
          { name: texts.records.state, value: <StateBadge state={biometric.status} /> },
          { name: said.attempts, value: biometric.attempts },
          { name: said.attemptsRemaining, value: biometric.attemptsRemaining },
          { name: said.liveness, value: biometric.livenessScore },
          { name: said.match, value: biometric.matchScore },
          { name: said.reason, value: biometric.reason },
          { name: said.expiresAt, value: <Moment at={biometric.expiresAt} /> },
          { name: said.decidedAt, value: biometric.decidedAt && <Moment at={biometric.decidedAt} /> },
        ]}
      />
    </section>
  )
