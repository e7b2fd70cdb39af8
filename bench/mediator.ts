import { defineBenchmark } from './harness/benchmark.ts'
import { interleave } from './harness/rounds.ts'
import { openStage } from './subjects/exchange-stage.ts'
import { credoContestant, openWallets, serviceContestant } from './subjects/mediator-contestants.ts'
import { costOfPolling, type Crowd, installCrowd, memoryOfSockets } from './subjects/mediator-crowd.ts'

const modes = ['implicit', 'pickup', 'pushed'] as const

const environmentOf = (idleSeconds: number) => ({
  // All wallets are on this machine.
  VOUCHSAFE_SOCKETS_OF_NETWORK_MAX: '1000000',
  VOUCHSAFE_ACTOR_IDLE_SECONDS: String(idleSeconds),
  VOUCHSAFE_VAULT_CACHE_SECONDS: String(idleSeconds),
})

const NOTES = [
  'A message is forwarded, kept durably (by Credo in memory alone) and delivered. Implicit: its wallet',
  'opens a socket and pings, is pushed the message, and says one thing more, which acknowledges it.',
  'Pickup 2.0: its wallet asks for the status over HTTP, fetches the message and acknowledges it. Pushed:',
  'its wallet has a socket open already. The wallets of both are the same. Those that poll send an envelope',
  'again that was sealed before, which saves them the sealing and us nothing. Of the many open sockets',
  'half are implicit, half in live mode.',
]

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
      quick: 10,
      about: 'after which an actor that is not asked, or the key of a record, leaves memory',
    },
  },
  bars: {
    cpu_ratio_to_credo: { atMost: 0.07 },
    kb_per_socket: { atMost: 24 },
    idle_cpu_cores: { atMost: 1 },
  },
  async run({ options, open, progress, table, note }) {
    const { at_once: atOnce, kept_seconds: idleSeconds } = options
    const environment = environmentOf(idleSeconds)
    const nodeArgs = ['--expose-gc']
    const stage = await openStage(open, { engine: 'auto', atOnce, publish: false, nodeArgs, environment })
    const { wallets } = options
    const own = { messages: options.messages, atOnce, wallets }
    const credos = { messages: options.credo_messages, atOnce, wallets }
    progress(`${wallets} wallets are registered with each mediator`)
    const outcome = await interleave({
      rounds: options.rounds,
      progress,
      contestants: {
        service_implicit: await serviceContestant(open, stage, 'implicit', own),
        credo_implicit: await credoContestant(open, 'implicit', credos),
        service_pickup: await serviceContestant(open, stage, 'pickup', own),
        credo_pickup: await credoContestant(open, 'pickup', credos),
        service_pushed: await serviceContestant(open, stage, 'pushed', own),
        credo_pushed: await credoContestant(open, 'pushed', credos),
      },
    })
    table(
      'Processor time of a message, ms',
      modes.map((mode) => ({
        mode,
        service: outcome.median(`service_${mode}`, 'cpu_ms'),
        credo: outcome.median(`credo_${mode}`, 'cpu_ms'),
        ratio: outcome.ratio(`service_${mode}`, `credo_${mode}`, 'cpu_ms'),
      })),
    )
    const crowd: Crowd = { stage, load: await openWallets(open), idleSeconds }
    await installCrowd(crowd, stage.backend, Math.max(options.pollers, options.sockets), progress)
    progress(`${options.sockets} of them open a socket`)
    const memory = await memoryOfSockets(crowd, options.sockets)
    progress(`${options.pollers} of them poll every ${options.poll_every_seconds} s`)
    const polling = await costOfPolling(crowd, options.pollers, {
      everySeconds: options.poll_every_seconds,
      seconds: options.poll_seconds,
    })
    const webhooks = await stage.checkWebhooks()
    for (const line of NOTES) note(line)
    const [implicit, pickup] = [
      outcome.ratio('service_implicit', 'credo_implicit', 'cpu_ms'),
      outcome.ratio('service_pickup', 'credo_pickup', 'cpu_ms'),
    ]
    return {
      cpu_ratio_to_credo: Math.max(implicit, pickup),
      cpu_ratio_to_credo_implicit: implicit,
      cpu_ratio_to_credo_pickup: pickup,
      service_implicit_cpu_ms: outcome.median('service_implicit', 'cpu_ms'),
      credo_implicit_cpu_ms: outcome.median('credo_implicit', 'cpu_ms'),
      service_pickup_cpu_ms: outcome.median('service_pickup', 'cpu_ms'),
      credo_pickup_cpu_ms: outcome.median('credo_pickup', 'cpu_ms'),
      service_pushed_cpu_ms: outcome.median('service_pushed', 'cpu_ms'),
      credo_pushed_cpu_ms: outcome.median('credo_pushed', 'cpu_ms'),
      service_implicit_per_s: outcome.median('service_implicit', 'per_s'),
      service_pickup_per_s: outcome.median('service_pickup', 'per_s'),
      kb_per_socket: memory.kbPerSocket,
      heap_kb_per_socket: memory.heapKbPerSocket,
      idle_cpu_cores: polling.cores,
      polls_per_s: polling.perS,
      poll_p99_ms: polling.p99Ms,
      webhooks,
    }
  },
})
