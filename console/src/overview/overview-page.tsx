import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { PageHead } from '../parts/page-head.tsx'
import { usePerson } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { usePace } from '../state/use-pace.ts'
import { texts } from '../texts/texts.ts'
import { Checklist } from './checklist.tsx'
import { Happened } from './happened.tsx'
import { Now } from './now.tsx'
import { periodOf, spanOf } from './period.ts'

const EVERY_MS = 15_000

/** Where everybody begins: how it goes now, how far setting up is, and what happened. Operators begin elsewhere. */
export const OverviewPage = () => {
  const { organisation } = usePerson()
  const { route } = useLocation()
  useEffect(() => {
    if (organisation === null) route('/console/organisations', true)
  }, [])
  return organisation === null ? null : <OfOrganisation />
}

const OfOrganisation = () => {
  const period = periodOf(useLocation().query)
  const loaded = useAnswer('getOverview', { query: spanOf(period) }, { everyMs: usePace(EVERY_MS) })
  return (
    <>
      <PageHead title={texts.pages.overview} />
      <Now lists={loaded.body?.lists} />
      <Checklist />
      <Happened loaded={loaded} period={period} />
    </>
  )
}
