import { PageHead } from '../parts/page-head.tsx'
import { texts } from '../texts/texts.ts'

export const OverviewPage = () => <PageHead title={texts.pages.overview} />
