import type { Command } from 'commander'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createOutput } from '../../src/cli/output.ts'
import { orderTo } from '../../src/cli/run-order.ts'
import { followed, registerShards, type Terminal } from '../../src/cli/shards.ts'
import type { Environment } from '../../src/config/config.ts'
import { freshOperator } from '../compose/api-on-memory.ts'
import { localService } from '../compose/local-service.ts'
import { vouchsafe } from './parts/vouchsafe.ts'

const service = await localService()
const { cluster } = service.api
afterAll(() => service.close())
beforeEach(() => cluster.reset())

const silent: Terminal = { confirms: null, onInterrupt: () => () => undefined }
const registering = (terminal: Terminal) => (program: Command, environment: Environment) =>
  registerShards(program, orderTo(environment), terminal)
const as = (terminal: Terminal, ...words: string[]) =>
  vouchsafe([registering(terminal)], { VOUCHSAFE_DATA_FOLDER: service.folder }, words)
const run = (...words: string[]) => as(silent, ...words)

/** Nodes that do what the map says, for as long as a test runs. */
const nodesFollow = (): void => {
  const steps = setInterval(() => cluster.step(), 50)
  onTestFinished(() => clearInterval(steps))
}
const countOf = (node: string): number => cluster.now().places.filter(({ owner }) => owner === node).length

describe('vouchsafe nodes', () => {
  it('lists them, with their part, their shards and what they carry', async () => {
    expect((await run('nodes')).out).toBe(
      [
        'node-1  alive  taking   256 shards  load 2.00  node-1:9000 (this node)',
        'node-2  alive  taking   0 shards    load 0.00  node-2:9000',
        'node-3  dead   no part  0 shards               node-3:9000\n',
      ].join('\n'),
    )
    const { out } = await run('--json', 'nodes')
    expect(JSON.parse(out)).toMatchObject({ items: [{ id: 'node-1' }, { id: 'node-2' }, { id: 'node-3' }] })
  })
})

describe('vouchsafe shards', () => {
  it('lists all of them by number', async () => {
    await run('shards', 'move', '3', 'node-2')
    await run('shards', 'pin', '4')
    const lines = (await run('shards', 'list')).out.trimEnd().split('\n')
    expect(lines).toHaveLength(256)
    expect(lines[3]).toMatch(/^3\s+node-1 → node-2$/)
    expect(lines[4]).toMatch(/^4\s+node-1\s+pinned$/)
    expect(lines[47]).toMatch(/^47\s+node-1\s+2\.5 events\/s\s+30 in memory$/)
  })

  it('moves, pins and stops, and says what the service says when it refuses', async () => {
    expect(await run('shards', 'move', '47', 'node-2')).toMatchObject({
      code: 0,
      out: '47  node-1 → node-2    2.5 events/s  30 in memory\n',
    })
    expect((await run('shards', 'progress')).out).toMatch(
      /^1 shard moving, 0 to come \(map \d+\)\.\n {2}node-1 → node-2: 47\n$/,
    )
    expect((await run('shards', 'stop')).out).toMatch(/^Nothing moves \(map \d+\)\.\n$/)
    await run('shards', 'pin', '47')
    expect(await run('shards', 'move', '47', 'node-2')).toMatchObject({
      code: 1,
      err: 'Shard 47 is pinned.\n',
    })
    expect((await run('shards', 'unpin', '47')).out).not.toContain('pinned')
    const { code, err } = await run('shards', 'move', '256', 'node-2')
    expect([code, err]).toEqual([1, 'A shard is a number from 0 to 255.\n'])
    expect((await run('shards', 'freeze')).out).toMatch(/frozen\)\.\n$/)
    expect((await run('shards', 'unfreeze')).out).not.toContain('frozen')
    expect(await run('shards', 'take-part', 'node-9')).toMatchObject({
      code: 1,
      err: 'There is no node node-9.\n',
    })
  })

  it('says that there is no cluster where one process serves everything', async () => {
    cluster.given.isAlone = true
    expect(await run('shards', 'plan')).toMatchObject({
      code: 1,
      err: 'This service is one process, which serves every shard itself.\n',
    })
    expect((await run('shards', 'list')).code).toBe(0)
  })
})

describe('vouchsafe shards rebalance', () => {
  it('shows the plan, asks, and changes nothing when the answer is no or nobody can be asked', async () => {
    const before = cluster.now()
    const asked: string[] = []
    const confirms = (question: string) => {
      asked.push(question)
      return Promise.resolve(false)
    }
    const { code, err } = await as({ ...silent, confirms }, 'shards', 'rebalance')
    expect([code, asked]).toEqual([1, ['Apply this plan?']])
    expect(err).toMatch(
      /^\d+ shards would move \(map \d+\); a request for one waits 1000 ms at most while it moves, not measured here yet\.\n {2}node-1 → node-2 \(balance\): \d+, /,
    )
    expect(err).toMatch(
      /\n {2}node-1 {2}load 2\.00 → 1\.0\d\n {2}node-2 {2}load 0\.00 → 0\.9\d\nNothing was ordered\.\n$/,
    )
    expect(await run('shards', 'rebalance')).toMatchObject({
      code: 1,
      err: expect.stringContaining('say --yes') as string,
    })
    expect(await run('--json', 'shards', 'rebalance')).toMatchObject({ code: 1, out: '' })
    expect(cluster.now()).toBe(before)
  })

  it('applies that plan and follows it until it is over', async () => {
    nodesFollow()
    const { code, out, err } = await run('shards', 'rebalance', '--yes')
    const moved = countOf('node-2')
    expect([code, out]).toEqual([0, `Done: ${moved} shards moved.\n`])
    expect(moved).toBeGreaterThan(100)
    expect(err).toContain(`0 shards moving, ${moved} to come …\n`)
    expect(await run('shards', 'rebalance', '--yes')).toMatchObject({
      code: 0,
      out: 'Nothing had to be moved.\n',
    })
    const target = '/v1/operator/audit-log?action=applyShardPlan'
    const { json } = await service.api.send('GET', target, { as: freshOperator })
    expect(json['items']).toMatchObject([
      { initiator: 'command_line', outcome: 'done', targetId: `${moved} shards` },
    ])
  })

  it('leaves what was ordered running when it is interrupted, and says so', async () => {
    const onInterrupt = (interrupted: () => void) => {
      const soon = setTimeout(interrupted, 20)
      return () => clearTimeout(soon)
    }
    const { code, err } = await as({ ...silent, onInterrupt }, 'shards', 'rebalance', '--yes')
    expect(code).toBe(1)
    expect(err).toMatch(/It goes on: \d+ shards to go\. .* vouchsafe shards stop stops it\.\n$/)
    expect(cluster.now().planned.length).toBeGreaterThan(100)
    await run('shards', 'stop')
    expect(cluster.now().planned).toEqual([])
  })
})

describe('vouchsafe shards drain', () => {
  it('shows what would move, and follows it until the node is empty', async () => {
    expect((await run('shards', 'plan', '--drain', 'node-1')).out).toMatch(
      /^256 shards would move .*\n {2}node-1 → node-2 \(drained\): 0, /,
    )
    nodesFollow()
    const confirms = () => Promise.resolve(true)
    expect(await as({ ...silent, confirms }, 'shards', 'drain', 'node-1')).toMatchObject({
      code: 0,
      out: 'Done: 256 shards moved.\n',
    })
    expect([countOf('node-1'), countOf('node-2')]).toEqual([0, 256])
    expect((await run('shards', 'take-part', 'node-1')).out).toMatch(/^node-1 {2}alive {2}taking/)
  })
})

describe('following', () => {
  it('says how far it is when that has changed, and ends when nothing is to come', async () => {
    const moving = [{ shard: 1, from: 'a', to: 'b' }]
    const at = (toCome: number[]) => {
      return {
        version: 1,
        frozen: false,
        moving,
        toCome: toCome.map((shard) => ({ shard, from: 'a', to: null })),
      }
    }
    const answers = [at([2, 3]), at([2, 3]), at([2]), { ...at([]), moving: [] }]
    const notes: string[] = []
    const output = createOutput(
      false,
      () => undefined,
      (line) => notes.push(line),
    )
    const call = () => Promise.resolve(answers.shift() ?? {})
    expect(await followed(call, at([2, 3]), output, silent, 1)).toMatchObject({ moving: [], toCome: [] })
    expect(notes).toEqual(['1 shard moving, 2 to come …\n', '1 shard moving, 1 to come …\n'])
  })
})
