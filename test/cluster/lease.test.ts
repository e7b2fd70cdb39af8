import { describe, expect, it } from 'vitest'
import { isEnded, type LeaseStore } from '../../src/ports/lease.ts'
import { type Change, isValid, LeasedNodes as Nodes } from './parts/leased-nodes.ts'

describe('a node', () => {
  it('joins at once where no row of its own is alive, and stays valid', async () => {
    const nodes = new Nodes()
    const one = nodes.start('n1')
    await nodes.pass(200)
    const first = one.keeper.session()
    for (let round = 0; round < 30; round++) {
      expect(isValid(one)).toBe(true)
      await nodes.pass(1_000)
    }
    expect(one.keeper.session()).toBe(first)
  })

  it('that is frozen is declared dead, and knows on waking that it may not answer', async () => {
    const nodes = new Nodes()
    const [one, two] = [nodes.start('n1'), nodes.start('n2')]
    await nodes.pass(3_000)
    const session = one.keeper.session()
    one.process.pause(30_000)
    const tookMs = await nodes.until(() => nodes.state('n1') === 'dead')
    expect(tookMs).toBeGreaterThanOrEqual(9_000)
    expect(tookMs).toBeLessThan(16_000)
    expect(session?.valid()).toBe(false)
    await nodes.until(() => two.keeper.alive().length === 1, 500)
    await nodes.until(() => session?.ended.aborted === true)
    await nodes.until(() => isValid(one))
    expect(one.keeper.session()?.owner).not.toBe(session?.owner)
    expect(nodes.state('n1')).toBe('alive')
  })

  it('that is suspended with its machine is declared dead, and knows on waking that it may not answer', async () => {
    const nodes = new Nodes()
    const one = nodes.start('n1')
    nodes.start('n2')
    await nodes.pass(3_000)
    const session = one.keeper.session()
    one.process.suspend(30_000)
    await nodes.until(() => nodes.state('n1') === 'dead')
    await nodes.until(() => one.process.pausedUntilMs <= nodes.world.nowMs)
    expect(session?.valid()).toBe(false)
    await nodes.until(() => session?.ended.aborted === true)
    await nodes.until(() => isValid(one))
    expect(one.keeper.session()?.owner).not.toBe(session?.owner)
  })

  it('that is suspended while its renewal is under way gains nothing by the answer that waits for it', async () => {
    const nodes = new Nodes()
    let answered = 0
    const change: Change = (store) => ({
      ...store,
      renew: async (lease) => {
        const renewed = await store.renew(lease)
        if (lease.counter === 2) one.process.suspend(30_000)
        await one.process.runtime.sleep(1)
        answered = lease.counter
        return renewed
      },
    })
    const one = nodes.start('n1', { change })
    await nodes.until(() => answered === 2)
    expect(isValid(one)).toBe(false)
  })

  it('is never valid when a rival declares it dead, however its wall clock is off', async () => {
    for (const wallOffsetMs of [-600_000, 600_000]) {
      const nodes = new Nodes()
      const declared: boolean[] = []
      const one = nodes.start('n1', { wallOffsetMs })
      const change: Change = (store) => ({
        ...store,
        declareDead: (lease) => {
          declared.push(isValid(one))
          return store.declareDead(lease)
        },
      })
      nodes.start('n2', { change })
      await nodes.pass(3_000)
      one.process.cutOffUntilMs = nodes.world.nowMs + 40_000
      await nodes.until(() => nodes.state('n1') === 'dead')
      expect(declared).toEqual([false])
    }
  })

  it('counts a renewal whose answer was lost, once it sees it in its row', async () => {
    const nodes = new Nodes()
    let losses = 0
    const change: Change = (store) => ({
      ...store,
      renew: async (lease) => {
        const renewed = await store.renew(lease)
        if (lease.counter % 3 === 1 && losses < lease.counter) {
          losses = lease.counter
          throw new Error('the answer was lost')
        }
        return renewed
      },
    })
    const one = nodes.start('n1', { change })
    await nodes.pass(500)
    const session = one.keeper.session()
    await nodes.pass(40_000)
    expect(losses).toBeGreaterThan(4)
    expect(one.keeper.session()).toBe(session)
    expect(isValid(one)).toBe(true)
  })

  it('keeps its session through an outage that keeps everybody from renewing', async () => {
    const nodes = new Nodes()
    const [one, two] = [nodes.start('n1'), nodes.start('n2')]
    await nodes.pass(3_000)
    const sessions = [one.keeper.session(), two.keeper.session()]
    for (const { process } of [one, two]) process.cutOffUntilMs = nodes.world.nowMs + 60_000
    await nodes.pass(30_000)
    expect([isValid(one), isValid(two)]).toEqual([false, false])
    await nodes.until(() => isValid(one) && isValid(two))
    expect([one.keeper.session(), two.keeper.session()]).toEqual(sessions)
  })

  it('waits until the process that had its name before must have stopped answering', async () => {
    const nodes = new Nodes()
    const old = nodes.start('n1')
    await nodes.pass(3_000)
    old.process.pause(3_600_000)
    const young = nodes.start('n1')
    const tookMs = await nodes.until(() => isValid(young))
    expect(tookMs).toBeGreaterThan(9_000)
    expect(isValid(old)).toBe(false)
  })

  it('that leaves is gone at once', async () => {
    const nodes = new Nodes()
    const [one, two] = [nodes.start('n1'), nodes.start('n2')]
    await nodes.pass(3_000)
    const owner = one.keeper.session()?.owner ?? ''
    let gone: boolean | null = null
    void one.keeper.leave().then(async () => {
      gone = await two.keeper.isGone(owner)
    })
    expect(one.keeper.session()?.valid() ?? false).toBe(true)
    const tookMs = await nodes.until(() => gone !== null)
    expect(gone).toBe(true)
    expect(tookMs).toBeLessThan(3_000)
    expect(one.keeper.session()).toBeNull()
    expect(two.keeper.alive().map(({ node }) => node)).toContain('n2')
  })

  it('that is unknown, replaced or dead is gone; one that lives is not', async () => {
    const nodes = new Nodes()
    const one = nodes.start('n1')
    await nodes.pass(3_000)
    const answers: boolean[] = []
    for (const owner of [one.keeper.session()?.owner ?? '', 'n1~before', 'n9~u1'])
      void one.keeper.isGone(owner).then((gone) => answers.push(gone))
    await nodes.until(() => answers.length === 3)
    expect(answers.filter((gone) => gone)).toHaveLength(2)
  })
})

describe('the lease of a node that renews it, ended by another', () => {
  const begin = async (renewing: Change = (store) => store) => {
    const nodes = new Nodes()
    const given: { store: LeaseStore | null } = { store: null }
    const one = nodes.start('n1', { change: renewing })
    const two = nodes.start('n2', {
      change: (store) => {
        given.store = store
        return store
      },
    })
    await nodes.pass(3_000)
    const session = one.keeper.session()
    const endIt = async (): Promise<void> => {
      const row = nodes.leases.rows.get('n1')
      if (row !== undefined) void given.store?.end(row)
      await nodes.until(() => isEnded(nodes.leases.rows.get('n1') ?? { counter: 0 }), 500)
    }
    const isGone = async (): Promise<boolean> => {
      const answers: boolean[] = []
      void two.keeper.isGone(session?.owner ?? '').then((gone) => answers.push(gone))
      await nodes.until(() => answers.length > 0)
      return answers[0] === true
    }
    return { nodes, one, session, endIt, isGone }
  }

  it('is over for it at its next renewal, and for the others as late as that of one that died', async () => {
    const { nodes, one, session, endIt, isGone } = await begin()
    await endIt()
    expect(await nodes.until(() => session?.ended.aborted === true)).toBeLessThan(2_500)
    expect(await isGone()).toBe(false)
    const tookMs = await nodes.until(() => nodes.state('n1') === 'dead')
    expect(tookMs).toBeGreaterThan(7_000)
    expect(tookMs).toBeLessThan(12_000)
    expect(await isGone()).toBe(true)
    await nodes.until(() => isValid(one))
    expect(one.keeper.session()?.owner).not.toBe(session?.owner)
    expect(nodes.leases.rows.get('n1')?.counter).toBeGreaterThanOrEqual(0)
  })

  it('is over before others take anything, also where it cannot see its row any more', async () => {
    const { nodes, one, session, endIt } = await begin()
    await nodes.until(() => isValid(one))
    one.process.cutOffUntilMs = nodes.world.nowMs + 60_000
    await endIt()
    expect(session?.valid()).toBe(true)
    await nodes.until(() => nodes.state('n1') === 'dead')
    expect(session?.valid()).toBe(false)
  })

  it('does not come back by a renewal whose answer was lost', async () => {
    let loses = false
    const { nodes, session, endIt } = await begin((store) => ({
      ...store,
      renew: async (lease) => {
        const renewed = await store.renew(lease)
        if (loses) throw new Error('the answer was lost')
        return renewed
      },
    }))
    loses = true
    await nodes.pass(2_500)
    await endIt()
    loses = false
    await nodes.until(() => session?.ended.aborted === true, 3_000)
    expect(session?.valid()).toBe(false)
  })
})
