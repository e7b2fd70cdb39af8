// npm run engine:campaign
import { Command, InvalidArgumentError } from 'commander'
import { Chance, seedFrom } from './chance.ts'
import { CrossTests } from './cross.ts'
import type { Held } from './wallet.ts'

type Settings = { credentials: number; presentations: number; altered: number; seed?: string }

const wholeNumber = (text: string): number => {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new InvalidArgumentError('It must be a whole number.')
}
const settings = new Command('engine:campaign')
  .description('Both engines beside each other on random credentials, presentations and altered inputs.')
  .option('--credentials <count>', 'to issue and prove with', wholeNumber, 5_000)
  .option('--presentations <count>', 'honest ones for both engines', wholeNumber, 2_000)
  .option('--altered <count>', 'inputs that were tampered with', wholeNumber, 20_000)
  .option('--seed <seed>', 'to repeat a run')
  .parse()
  .opts<Settings>()
const seed = seedFrom(settings.seed)
const chance = new Chance(seed)
const tests = new CrossTests(chance)
print(`seed ${seed}`)
const held = issueMany(settings.credentials)
presentMany(settings.presentations)
alterMany(settings.altered)

/** 1 to 125 attributes, most often few; a definition serves about twenty credentials. */
function issueMany(count: number): Held[] {
  const startedAt = performance.now()
  const kept: Held[] = []
  let published = tests.definition('library', ['name', 'age'])
  let requested = tests.request(published)
  for (let each = 0; each < count; each += 1) {
    if (each % 20 === 0) {
      published = tests.randomDefinition(chance.oneIn(5) ? chance.between(1, 125) : chance.between(1, 12))
      requested = tests.request(published)
    }
    // The wallet checks the whole key for every request, which takes long for many attributes.
    const credential = tests.credential(
      published,
      each % 4 === 0 && published.attributes.length < 20 ? undefined : requested,
    )
    // Every credential proves something; the small ones go on to the presentations.
    const input = tests.honest([credential])
    if (each % 10 === 0) tests.checkHonest(input, [published])
    if (published.attributes.length <= 12 && each % 5 === 0) kept.push(credential)
    if (each % 500 === 499) print(`${each + 1} credentials, ${seconds(startedAt)}`)
  }
  print(
    `${count} credentials were accepted by the library's holder and used in proofs, ${seconds(startedAt)}`,
  )
  return kept
}

function presentMany(count: number): void {
  const startedAt = performance.now()
  for (let each = 0; each < count; each += 1) {
    const credentials = Array.from({ length: chance.oneIn(5) ? chance.between(2, 3) : 1 }, () =>
      chance.pick(held),
    )
    const distinct = [...new Map(credentials.map((one) => [one.published.id, one])).values()]
    tests.checkHonest(
      tests.honest(distinct),
      distinct.map((one) => one.published),
    )
    if (each % 500 === 499) print(`${each + 1} presentations, ${seconds(startedAt)}`)
  }
  print(`${count} honest presentations were accepted by both, ${seconds(startedAt)}`)
}

function alterMany(count: number): void {
  const startedAt = performance.now()
  const tally = new Map<string, number>()
  let honest = tests.honest([chance.pick(held)])
  for (let each = 0; each < count; each += 1) {
    if (each % 50 === 0) honest = tests.honest([chance.pick(held)])
    const { native, library } = tests.checkAltered(honest)
    const key = `native ${native}, library ${library}`
    tally.set(key, (tally.get(key) ?? 0) + 1)
    if (each % 5_000 === 4_999) print(`${each + 1} altered, ${seconds(startedAt)}`)
  }
  print(
    `${count} altered inputs: none accepted by the own engine alone, none crashed it, ${seconds(startedAt)}`,
  )
  for (const [key, times] of [...tally].sort(([left], [right]) => left.localeCompare(right)))
    print(`  ${key}: ${times}`)
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(0)} s`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
