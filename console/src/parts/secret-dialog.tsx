import { useState } from 'preact/hooks'
import { texts } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import { CheckField } from './field.tsx'
import { Form } from './form.tsx'

type SecretDialogProps = {
  readonly title: string
  readonly text: string
  readonly secret: string
  readonly onKept: () => void
}

/** Shown this once; it goes when the person says that it is kept, and by nothing else. */
export const SecretDialog = ({ title, text, secret, onKept }: SecretDialogProps) => {
  const [isKept, setKept] = useState(false)
  return (
    <Dialog title={title}>
      <p>{text}</p>
      <p class="codes">{secret}</p>
      <div class="row">
        <CopyButton text={secret} what={title} />
      </div>
      <Form onSend={onKept}>
        <CheckField label={texts.secret.kept} isChecked={isKept} onChange={setKept} />
        <div class="actions">
          <Button look="main" isBusy={!isKept}>
            {texts.common.close}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
