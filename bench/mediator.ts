import { defineBenchmark } from './harness/benchmark.ts'
import { openStage } from './subjects/exchange-stage.ts'
import { openWallets } from './subjects/mediator-contestants.ts'
import { costOfPolling, type Crowd, installCrowd, memoryOfSockets } from './subjects/mediator-crowd.ts'
import { measureMessages } from './subjects/mediator-messages.ts'

/** How many records the service keeps in memory where its settings do not say. */
const RESIDENT_MAX = 20_000

export const benchmark = defineBenchmark({
  about:
    'Processor time of a message through the mediator beside a Credo mediator, and what a crowd of wallets takes',
  options: {
    messages: {
      type: 'number',
      default: 2_048,
      quick: 256,
      about: 'messages of a round through the service',
    },
    credo_messages: { type: 'number', default: 256, quick: 64, about: 'messages of a round through Credo' },
    wallets: {
      type: 'number',
      default: 1_000,
      quick: 64,
      about: 'wallets that are registered with a mediator, most of which get no message',
    },
    rounds: { type: 'number', default: 5, quick: 2, about: 'rounds, of which the median counts' },
    at_once: {
      type: 'number',
      default: 64,
      about: 'messages under way at a time, each to a wallet of its own',
    },
    sockets: { type: 'number', default: 10_000, quick: 500, about: 'sockets that are open at a time' },
    pollers: { type: 'number', default: 20_000, quick: 1_000, about: 'wallets that poll' },
    poll_every_seconds: { type: 'number', default: 10, about: 'between two polls of one wallet' },
    poll_seconds: { type: 'number', default: 60, quick: 20, about: 'that the polling is measured' },
    kept_seconds: {
      type: 'number',
      default: 60,
      quick: 30,
      about:
        'after which an actor that is not asked, or the key of a record, leaves memory; longer than two polls are apart',
    },
  },
  bars: {
    cpu_ratio_to_credo: { atMost: 0.07 },
    kb_per_socket: { atMost: 24 },
    idle_cpu_cores: { atMost: 1 },
  },
  async run(context) {
    const { options, open, progress, note } = context
    const idleSeconds = options.kept_seconds
    const environment = {
      // All wallets are on this machine.
      VOUCHSAFE_SOCKETS_OF_NETWORK_MAX: '1000000',
      VOUCHSAFE_ACTOR_IDLE_SECONDS: String(idleSeconds),
      // As docs/MEDIATOR.md asks of an operator: those that poll in turn would push each other out of memory.
      VOUCHSAFE_RESIDENT_ACTORS_MAX: String(Math.max(RESIDENT_MAX, 2 * options.pollers)),
      VOUCHSAFE_VAULT_CACHE_SECONDS: String(idleSeconds),
    }
    const nodeArgs = ['--expose-gc']
    const stage = await openStage(open, {
      engine: 'auto',
      atOnce: options.at_once,
      publish: false,
      nodeArgs,
      environment,
    })
    const messages = await measureMessages(context, stage, options)
    const crowd: Crowd = { stage, load: await openWallets(open), idleSeconds }
    await installCrowd(crowd, stage.backend, Math.max(options.pollers, options.sockets), progress)
    progress(`${options.sockets} of them open a socket`)
    const memory = await memoryOfSockets(crowd, options.sockets)
    progress(`${options.pollers} of them poll every ${options.poll_every_seconds} s`)
    const polling = await costOfPolling(crowd, options.pollers, {
      everySeconds: options.poll_every_seconds,
      seconds: options.poll_seconds,
    })
    note(
      'A message is forwarded, kept durably (by Credo in memory alone) and delivered. Implicit: its wallet',
    )
    note('opens a socket and pings, is pushed the message, and says one thing more, which acknowledges it.')
    note(
      'Pickup 2.0: its wallet asks for the status over HTTP, fetches the message and acknowledges it. Pushed:',
    )
    note(
      'its wallet has a socket open already. The wallets of both are the same. Those that poll send an envelope',
    )
    note(
      'again that was sealed before, which saves them the sealing and us nothing. Of the many open sockets',
    )
    note('half are implicit, half in live mode.')
    return {
      ...messages,
      kb_per_socket: memory.kbPerSocket,
      rss_kb_per_socket: memory.rssKbPerSocket,
      idle_cpu_cores: polling.cores,
      polls_per_s: polling.perS,
      poll_p99_ms: polling.p99Ms,
      webhooks: await stage.checkWebhooks(),
    }
  },
})
