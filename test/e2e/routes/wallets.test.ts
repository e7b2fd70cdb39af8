import { walletCases, walletSamples } from '../../contract/api/areas/wallets.ts'
import { shownRoutes } from './shown-routes.ts'

shownRoutes('wallets', { samples: walletSamples, cases: walletCases })
