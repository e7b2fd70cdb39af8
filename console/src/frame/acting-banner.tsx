import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { usePerson, useSession } from '../state/session.tsx'
import { useOrder } from '../state/use-order.ts'
import { fill, shortTime, texts } from '../texts/texts.ts'

const said = texts.frame
/** The service ends it by its own clock, which may be behind. */
const A_MOMENT_MS = 1_000

/** Over every page while an operator acts for an organisation: for whom, why, until when, and how it ends. */
export const ActingBanner = () => {
  const { acting, organisation } = usePerson()
  const { again } = useSession()
  const { route } = useLocation()
  const end = useOrder('endActing')
  const endsAt = acting?.endsAt ?? null
  useEffect(() => {
    if (endsAt === null) return undefined
    const timer = setTimeout(() => void again(), Date.parse(endsAt) - Date.now() + A_MOMENT_MS)
    return () => clearTimeout(timer)
  }, [endsAt])
  if (acting === null) return null
  const stop = async (): Promise<void> => {
    if ((await end.give({})) === null) return
    route('/console/organisations')
    await again()
  }
  const values = {
    organisation: organisation?.name ?? acting.organisation ?? '',
    until: acting.endsAt === null ? '' : shortTime(acting.endsAt),
    reason: acting.reason ?? '',
  }
  return (
    <section class="acting" aria-label={fill(said.actingFor, values)}>
      <p>
        <strong>{fill(said.actingFor, values)}</strong>
        <br />
        <span class="small">{acting.mayChange ? said.actingChanges : said.actingLooks}</span>
      </p>
      <Button isSmall isBusy={end.isUnderWay} onPress={() => void stop()}>
        {said.endActing}
      </Button>
    </section>
  )
}
