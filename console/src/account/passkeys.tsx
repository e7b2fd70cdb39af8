import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { makePasskey } from '../parts/passkey.ts'
import { DangerButton } from '../records/danger-button.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { useDraft } from '../state/use-draft.ts'
import { useOrder } from '../state/use-order.ts'
import { texts } from '../texts/texts.ts'

const said = texts.account
/** Browsers bind passkeys to names of hosts, and refuse what is an address of the network. */
const IS_NUMBER = /^[\d.]+$|^\[/

/** A passkey stands in for the code of the authenticator, never for the password. */
export const Passkeys = () => {
  const { body, again } = useAnswer('listPasskeys', { query: { pageSize: 100 } })
  return (
    <section class="card stack">
      <h2>{said.passkeys}</h2>
      <p class="quiet">{said.passkeysHint}</p>
      <ul class="stack">
        {body?.items.map(({ id, label, createdAt, lastUsedAt }) => (
          <li key={id} class="row apart">
            <span>
              {label}
              <br />
              <span class="quiet small">
                {said.added} <Moment at={createdAt} /> · {said.used} <Moment at={lastUsedAt} />
              </span>
            </span>
            <DangerButton
              operation="removePasskey"
              takes={{ path: { id } }}
              said={said.removePasskey}
              isSmall
              onDone={again}
            />
          </li>
        ))}
      </ul>
      <AddPasskey onAdded={again} />
    </section>
  )
}

const AddPasskey = ({ onAdded }: { onAdded: () => void }) => {
  const [{ label }, change, forget] = useDraft('passkey', { label: '' })
  const [isMissed, setMissed] = useState(false)
  const begin = useOrder('beginPasskey')
  const add = useOrder('addPasskey')
  const make = async (): Promise<void> => {
    setMissed(false)
    const options = await begin.give({})
    if (options === null) return
    const response = await makePasskey(options).catch(() => null)
    if (response === null) return setMissed(true)
    if ((await add.give({ body: { label: label.trim(), response } })) === null) return
    forget()
    onAdded()
  }
  return (
    <Form onSend={() => void make()}>
      <TextField
        label={said.passkeyName}
        hint={said.passkeyNameHint}
        value={label}
        onChange={(changed) => change({ label: changed })}
        lengthMax={100}
        isRequired
      />
      <ProblemNotice problem={begin.problem ?? add.problem} />
      {isMissed && (
        <Notice tone="warn" title={said.passkeyMissed}>
          {IS_NUMBER.test(location.hostname) && <p>{said.passkeyNeedsName}</p>}
        </Notice>
      )}
      <div class="row">
        <Button isBusy={begin.isUnderWay || add.isUnderWay}>{said.addPasskey}</Button>
      </div>
    </Form>
  )
}
