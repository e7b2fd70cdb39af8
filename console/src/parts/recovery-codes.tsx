import { useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { CheckField } from './field.tsx'
import { Form } from './form.tsx'
import { saveAsFile } from './save-as-file.ts'
import { texts } from '../texts/texts.ts'

const said = texts.invitation
const FILE = 'vouchsafe-recovery-codes.txt'

type RecoveryCodesProps = {
  readonly codes: readonly string[]
  readonly goOn: string
  readonly onKept: () => void
}

/** Shown once; whoever goes on says that they are kept. */
export const RecoveryCodes = ({ codes, goOn, onKept }: RecoveryCodesProps) => {
  const [isKept, setKept] = useState(false)
  const text = codes.join('\n')
  return (
    <Form onSend={onKept}>
      <p>{said.codes}</p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div class="row">
        <CopyButton text={text} label={said.copyCodes} />
        <Button look="plain" isSmall onPress={() => saveAsFile(FILE, text)}>
          {said.downloadCodes}
        </Button>
      </div>
      <CheckField label={said.kept} isChecked={isKept} onChange={setKept} />
      <Button look="main" isBusy={!isKept}>
        {goOn}
      </Button>
    </Form>
  )
}
