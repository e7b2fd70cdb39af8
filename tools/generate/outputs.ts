import { apiDocument } from '../described-api.ts'
import { clientApi } from './client/client-api.ts'
import { consoleOperations } from './client/console-operations.ts'
import { filledGuide, GUIDES, guideFile, guidesModule } from './guides/guide-pages.ts'
import { fillMarked } from './marked.ts'
import { routesTable } from './routes.ts'
import { environmentExample, limitsTable, logEventsTable, settingsTable } from './settings.ts'

export type Output = {
  readonly file: string
  /** From what the file says now to what it should say; generated files ignore the first. */
  readonly render: (now: string) => string
}

/** Everything in the repository that is made from the code. */
export const outputs: readonly Output[] = [
  { file: '.env.example', render: environmentExample },
  { file: 'client/src/generated/api.ts', render: () => clientApi(apiDocument()) },
  { file: 'console/src/api/generated/operations.ts', render: () => consoleOperations(apiDocument()) },
  ...GUIDES.map((slug) => ({ file: guideFile(slug), render: filledGuide })),
  { file: 'src/http/docs/generated/guides.ts', render: guidesModule },
  { file: 'docs/API.md', render: (now) => fillMarked(now, 'routes', routesTable()) },
  {
    file: 'docs/OPERATIONS.md',
    render: (now) => {
      const withSettings = fillMarked(now, 'settings', settingsTable())
      const withLimits = fillMarked(withSettings, 'limits', limitsTable())
      return fillMarked(withLimits, 'log events', logEventsTable())
    },
  },
]
