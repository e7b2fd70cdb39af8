import { describe, expect, it } from 'vitest'
import { kinds } from '../../../src/actors/index.ts'
import { acrossNodes } from '../../cluster/asks/parts/across.ts'
import { contractArea } from './area.ts'
import { accountCases, accountSamples } from './areas/accounts.ts'
import { eventCases, eventSamples } from './areas/events.ts'
import { exchangeCases, exchangeSamples } from './areas/exchanges.ts'
import { operatorCases, operatorSamples } from './areas/operators.ts'
import { peopleCases, peopleSamples } from './areas/people.ts'
import { setupCases, setupSamples } from './areas/setup.ts'
import { walletCases, walletSamples } from './areas/wallets.ts'

// The whole contract at a node that serves no shard itself: every ask crosses to another one and back.
const seen = new Set<string>()
const through = acrossNodes(seen)
contractArea('accounts across nodes', { samples: accountSamples, cases: accountCases }, through)
contractArea('events across nodes', { samples: eventSamples, cases: eventCases }, through)
contractArea('exchanges across nodes', { samples: exchangeSamples, cases: exchangeCases }, through)
contractArea('operators across nodes', { samples: operatorSamples, cases: operatorCases }, through)
contractArea('people across nodes', { samples: peopleSamples, cases: peopleCases }, through)
contractArea('setup across nodes', { samples: setupSamples, cases: setupCases }, through)
contractArea('wallets across nodes', { samples: walletSamples, cases: walletCases }, through)

describe('every kind of actor', () => {
  it('was asked and read across nodes', () => {
    const wanted = kinds.flatMap(({ prefix }) => [`ask ${prefix}`, `read ${prefix}`])
    expect(wanted.filter((each) => !seen.has(each))).toEqual([])
  })
})
