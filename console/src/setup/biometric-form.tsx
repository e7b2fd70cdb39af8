import { useState } from 'preact/hooks'
import type { BiometricPolicy } from '../api/generated/operations.ts'
import { definitionName } from '../lists/definition-names.ts'
import { Button } from '../parts/button.tsx'
import { CheckField, SelectField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'
import {
  type BiometricDraft,
  draftOfPolicy,
  policyBody,
  type Vendor,
  VENDOR_FIELDS,
  VENDORS,
} from './biometric-draft.ts'
import { usePublishedDefinitions } from './definition-attributes.ts'

const said = texts.policy
const NUMBERS = ['livenessMin', 'matchMin', 'attemptsMax', 'windowMinutes'] as const

type BiometricFormProps = { readonly policy: BiometricPolicy; readonly onSet: () => void }

/** Secrets are typed into the page alone and forgotten with it. */
export const BiometricForm = ({ policy, onSet }: BiometricFormProps) => {
  const [draft, change, forget] = useDraft(`biometric.${policy.updatedAt ?? ''}`, draftOfPolicy(policy))
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({})
  const order = useOrder('setBiometricPolicy')
  const fields = VENDOR_FIELDS[draft.vendor]
  const set = async (): Promise<void> => {
    if ((await order.give({ body: policyBody(draft, secrets) })) === null) return
    forget()
    onSet()
  }
  return (
    <Form class="card stack" onSend={() => void set()}>
      <h2>{said.change}</h2>
      <SelectField
        label={said.vendor}
        hint={said.vendorHint}
        value={draft.vendor}
        choices={VENDORS.map((value) => ({ value, text: said.vendors[value] }))}
        onChange={(vendor) => change({ vendor: vendor as Vendor })}
      />
      {fields.settings.map((name) => (
        <TextField
          key={name}
          label={said.fields[name as keyof typeof said.fields]}
          value={draft.settings[name] ?? ''}
          onChange={(value) => change({ settings: { ...draft.settings, [name]: value } })}
          isRequired
        />
      ))}
      {fields.secrets.map((name) => (
        <TextField
          key={name}
          label={said.fields[name as keyof typeof said.fields]}
          hint={policy.hasCredentials ? said.secretStays : said.secretHint}
          type="password"
          value={secrets[name] ?? ''}
          onChange={(value) => setSecrets({ ...secrets, [name]: value })}
          isRequired={!policy.hasCredentials}
        />
      ))}
      {draft.vendor !== 'none' && <Bounds draft={draft} change={change} />}
      <ProblemNotice problem={order.problem} />
      <div class="row">
        <Button look="main" isBusy={order.isUnderWay}>
          {texts.common.save}
        </Button>
      </div>
    </Form>
  )
}

type BoundsProps = {
  readonly draft: BiometricDraft
  readonly change: (part: Partial<BiometricDraft>) => void
}

/** What passes, and what is issued behind a check. */
const Bounds = ({ draft, change }: BoundsProps) => {
  const { definitions, problem } = usePublishedDefinitions()
  const choose = (id: string, isIn: boolean): void =>
    change({ definitionIds: [...draft.definitionIds.filter((each) => each !== id), ...(isIn ? [id] : [])] })
  return (
    <>
      <div class="pair even">
        {NUMBERS.filter((name) => name !== 'livenessMin' || draft.vendor !== 'azure_face').map((name) => (
          <TextField
            key={name}
            label={said.numbers[name]}
            type="number"
            value={draft[name]}
            onChange={(value) => change({ [name]: value })}
          />
        ))}
      </div>
      <fieldset class="stack tight">
        <legend>
          <strong class="small">{said.definitions}</strong>
        </legend>
        <ProblemNotice problem={problem} />
        {definitions?.map((definition) => (
          <CheckField
            key={definition.id}
            label={definitionName(definition)}
            isChecked={draft.definitionIds.includes(definition.id)}
            onChange={(isIn) => choose(definition.id, isIn)}
          />
        ))}
      </fieldset>
    </>
  )
}
