import { Counter, Gauge } from 'prom-client'
import type { Metrics } from './metrics.ts'

export type ActorStatus = {
  readonly shards: number
  readonly residents: number
  readonly waiting: number
  readonly timersLoaded: number
}

export type ActorMetrics = { readonly faults: Counter<'part'> }

/** Read when somebody scrapes; counting costs the actors nothing. */
export const createActorMetrics = ({ registry }: Metrics, status: () => ActorStatus): ActorMetrics => {
  const registers = [registry]
  const gauge = (name: string, help: string, read: (status: ActorStatus) => number): Gauge =>
    new Gauge({
      name: `vouchsafe_actors_${name}`,
      help,
      registers,
      collect() {
        this.set(read(status()))
      },
    })
  gauge('shards', 'Shards that are served here.', ({ shards }) => shards)
  gauge('resident', 'Actors in memory.', ({ residents }) => residents)
  gauge('commands_waiting', 'Commands that were admitted and are not answered yet.', ({ waiting }) => waiting)
  gauge('timers_loaded', 'Timers in memory because they are due soon.', ({ timersLoaded }) => timersLoaded)
  return {
    faults: new Counter({
      name: 'vouchsafe_actors_faults_total',
      help: 'Failures of actors by what they were doing.',
      labelNames: ['part'],
      registers,
    }),
  }
}
