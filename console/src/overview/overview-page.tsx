import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { PageHead } from '../parts/page-head.tsx'
import { usePerson } from '../state/session.tsx'
import { texts } from '../texts/texts.ts'
import { Checklist } from './checklist.tsx'
import { Now } from './now.tsx'

/** Where everybody begins: how far setting up is, and how it goes now. Operators begin with the organisations. */
export const OverviewPage = () => {
  const { organisation } = usePerson()
  const { route } = useLocation()
  useEffect(() => {
    if (organisation === null) route('/console/organisations', true)
  }, [])
  if (organisation === null) return null
  return (
    <>
      <PageHead title={texts.pages.overview} />
      <Now />
      <Checklist />
    </>
  )
}
