import { contractArea } from './area.ts'
import { accountCases, accountSamples } from './areas/accounts.ts'

contractArea('accounts', { samples: accountSamples, cases: accountCases })
