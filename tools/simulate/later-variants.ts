import type { ShardLogWriter } from '../../src/persistence/shard-log-writer.ts'
import type { Variant } from './variants.ts'

/** Mistakes with what is left to a later commit or a later look, or is not looked for at all. */
export const mistakesWithWhatIsLeft: Readonly<Record<string, Omit<Variant, 'name'>>> = {
  /** Acknowledges the wake-up of what is done with the note of it, and not when that is committed. */
  'lets-a-wake-up-go-before-its-note': {
    shard: (shard) => ({
      append: (entries) => {
        void shard.timersDone(entries.flatMap(({ timersCleared }) => timersCleared)).catch(() => {})
        return shard.append(entries)
      },
    }),
  },

  /** A note that no other commit takes along waits for ever: only the clock has a signal to its sleep. */
  'leaves-notes-behind': {
    hostTime: (runtime) => ({
      sleep: (ms, signal) =>
        signal === undefined && ms > 10 ? new Promise(() => {}) : runtime.sleep(ms, signal),
    }),
  },

  /** The clock of the host rests until it is woken, and nobody wakes it for what is further away than a rest. */
  'rests-until-it-is-woken': {
    hostTime: (runtime) => ({
      sleep: (ms, signal) => runtime.sleep(signal !== undefined && ms > 50 ? 10_000_000 : ms, signal),
    }),
  },

  /** Whoever repeats a command says once more that its record is new: it is not looked for in the log. */
  'says-again-that-a-record-begins': { repeatsThatItBegins: true },

  /** Tells whoever follows the log that there is nothing, where only the owner before has written. */
  'takes-what-was-before-for-read': {
    shard: (shard) => {
      const { recent } = shard as ShardLogWriter
      const knows = recent.hasNothingAfter.bind(recent)
      recent.hasNothingAfter = (from) => recent.last?.index === -1 || knows(from)
      return {}
    },
  },
}
