import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { RecoveryCodes } from '../parts/recovery-codes.tsx'
import { useSession } from '../state/session.tsx'
import { useOrder } from '../state/use-order.ts'
import { counted, texts } from '../texts/texts.ts'

const said = texts.account

export const NewRecoveryCodes = ({ left }: { readonly left: number }) => {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const order = useOrder('replaceRecoveryCodes')
  const { again } = useSession()
  const make = async (): Promise<void> => {
    const made = await order.give({})
    if (made !== null && made.recoveryCodes !== null) setCodes(made.recoveryCodes)
  }
  const kept = (): void => {
    setCodes(null)
    void again()
  }
  return (
    <section class="card stack">
      <h2>{said.recoveryCodes}</h2>
      <p>{counted(said.codesLeft, left)}</p>
      <p class="quiet small">{said.codesHint}</p>
      <ProblemNotice problem={order.problem} />
      <div class="row">
        <Button isBusy={order.isUnderWay} onPress={() => void make()}>
          {said.newCodes}
        </Button>
      </div>
      {codes !== null && (
        <Dialog title={texts.invitation.codesTitle}>
          <RecoveryCodes codes={codes} goOn={texts.common.close} onKept={kept} />
        </Dialog>
      )}
    </section>
  )
}
