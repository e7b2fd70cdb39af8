import { accountCases, accountSamples } from '../../contract/api/areas/accounts.ts'
import { shownRoutes } from './shown-routes.ts'

shownRoutes('accounts', { samples: accountSamples, cases: accountCases })
