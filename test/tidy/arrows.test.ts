import { describe, expect, it } from 'vitest'
import { homeless, roomOf, wrongImports } from './arrows.ts'
import { parseSource } from './source.ts'

const importing = (path: string, ...lines: string[]) => wrongImports(parseSource(path, lines.join('\n')))

describe('the arrows', () => {
  it.each([
    ['src/domain/connection.ts', `import { codes } from './codes.ts'`],
    ['src/actors/credential/routes.ts', `import { defineRoute } from '../../http/route/route.ts'`],
    ['src/http/routes/offer.ts', `import type { Limits } from '../../config/config.ts'`],
    ['src/http/routes/offer.ts', `import { type Limits } from '../../config/config.ts'`],
    ['src/persistence/sqlite/writer.ts', `import type { Journal } from '../../ports/journal.ts'`],
    ['src/stream/publisher.ts', `import { AskFailed } from '../ports/actors.ts'`],
    ['src/app.ts', `import { host } from './host/host.ts'`],
    ['src/cli/serve.ts', `import { app } from '../app.ts'`],
    ['test/http/route/route.test.ts', `import { route } from '../../src/http/route/route.ts'`],
    ['bench/journal.ts', `const file = new URL('./baselines/inserts.ts', import.meta.url)`],
  ])('let %s write %s', (path, line) => {
    expect(importing(path, line)).toEqual([])
  })

  it('refuse a room beside another with a sentence that names both and the mend', () => {
    expect(
      importing('src/webhooks/sender.ts', '', `import { read } from '../persistence/reader.ts'`),
    ).toEqual([
      'src/webhooks/sender.ts:2 src/webhooks/ (signing and sending of events to tenants) imports ' +
        'src/persistence/reader.ts from src/persistence/ (the journal, the timers and the vault), which it may not ' +
        'know. src/webhooks/ may import src/domain/, src/timing/, types of src/config/, src/telemetry/, src/ports/, ' +
        'src/egress/. Take it as an interface from src/ports/, and let src/app.ts inject it.',
    ])
  })

  it.each([
    ['src/webhooks/deliver.ts', `export { host } from '../host/host.ts'`],
    ['src/webhooks/deliver.ts', `export * from '../stream/topics.ts'`],
    ['src/webhooks/deliver.ts', `const late = await import('../stream/topics.ts')`],
    ['src/webhooks/deliver.ts', `type Topic = import('../stream/topics.ts').Topic`],
    [
      'src/webhooks/deliver.ts',
      `const worker = new Worker(new URL('../anoncreds/worker.ts', import.meta.url))`,
    ],
    ['src/host/host.ts', `import { ask } from '../cluster/ask.ts'`],
    ['src/host/host.ts', `import { offer } from '../actors/credential/offer.ts'`],
    ['src/config/config.ts', `import { app } from '../app.ts'`],
    ['src/http/server/server.ts', `import { poll } from '../../test/poll.ts'`],
    ['sdk/src/wallet.ts', `import { ids } from '../../src/domain/ids.ts'`],
    ['client/client.ts', `import type { Route } from '../src/http/route/route.ts'`],
    ['bench/baselines/inserts.ts', `import { Latencies } from '../harness/latencies.ts'`],
    ['bench/baselines/inserts.ts', `import { codec } from '../../src/persistence/codec.ts'`],
    ['bootstrap/start.mjs', `import { doctor } from '../tools/doctor.ts'`],
  ])('refuse that %s writes %s', (path, line) => {
    expect(importing(path, line)).toHaveLength(1)
  })

  it('give only the types of the configuration to a room', () => {
    expect(importing('src/stream/publisher.ts', `import { readConfig } from '../config/config.ts'`)).toEqual([
      expect.stringContaining('of which it may know only the types: write "import type"'),
    ])
  })

  it('find the innermost room of a file', () => {
    expect(roomOf('bench/baselines/inserts.ts')?.folder).toBe('bench/baselines/')
    expect(roomOf('src/main.ts')?.folder).toBe('src/')
    expect(roomOf('vitest.config.ts')).toBeNull()
  })

  it('know every folder', () => {
    expect(homeless(parseSource('vitest.config.ts', ''))).toEqual([])
    expect(homeless(parseSource('lib/text.ts', ''))).toEqual([
      'lib/text.ts is in no room: put it into one, or add its folder to test/tidy/rooms.ts.',
    ])
  })
})

describe('the packages', () => {
  it.each([
    ['src/host/host.ts', 'nact'],
    ['src/host/residents/resident-actor.ts', 'nact'],
    ['src/http/server/uws-server.ts', 'uWebSockets.js'],
    ['src/persistence/cassandra/session.ts', 'cassandra-driver'],
    ['src/directory/index.ts', 'better-sqlite3'],
    ['src/http/route/route.ts', 'typebox'],
    ['tools/infra/main.ts', 'kafkajs'],
    ['test/stream/consumer.test.ts', 'kafkajs'],
  ])('let %s use %s', (path, target) => {
    expect(importing(path, `import it from '${target}'`)).toEqual([])
  })

  it.each([
    ['src/cluster/lease.ts', 'nact', 'nact is known in src/host/ alone'],
    [
      'src/http/front-door/front-door.ts',
      'uWebSockets.js',
      'uWebSockets.js is known in src/http/server/uws*.ts, src/http/server/sockets/uws*.ts alone',
    ],
    ['src/directory/rows.ts', 'cassandra-driver', 'cassandra-driver is known in src/persistence/ alone'],
    ['src/webhooks/consume.ts', 'kafkajs', 'kafkajs is known in src/stream/ alone'],
    [
      'src/app.ts',
      'better-sqlite3',
      'better-sqlite3 is known in src/persistence/, src/directory/, sdk/ alone',
    ],
    ['src/didcomm/agent.ts', '@credo-ts/core', '@credo-ts/ is known in sdk/ alone'],
    [
      'src/http/verify.ts',
      '@hyperledger/anoncreds-shared/build/x.js',
      'is known in src/anoncreds/, sdk/ alone',
    ],
    ['src/domain/connection.ts', 'typebox', 'src/domain/ may not use a package, and typebox is one'],
    ['src/domain/connection.ts', 'node:crypto', 'src/domain/ may not use node:crypto'],
    ['bootstrap/start.mjs', 'commander', 'bootstrap/ may not use a package, and commander is one'],
  ])('refuse that %s uses %s', (path, target, sentence) => {
    expect(importing(path, `import it from '${target}'`)).toEqual([expect.stringContaining(sentence)])
  })
})
