import { contractArea } from './area.ts'
import { walletCases, walletSamples } from './areas/wallets.ts'

contractArea('wallets', { samples: walletSamples, cases: walletCases })
