// npm run console:pictures: every page of the console in light, dark and on a phone, into docs/console.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { once } from 'node:events'
import { Argument, Command } from 'commander'
import type { Json } from '../../../test/integration/console/parts/console-place.ts'
import { ConsoleWorld } from '../../../test/integration/console/parts/console-world.ts'
import { furnish, idOf, ordering } from '../../../test/integration/console/parts/furnished.ts'
import { removeTemporaryFolders } from '../../../test/temporary-folder.ts'
import { Camera } from './camera.ts'
import { takeExtra } from './extra-pictures.ts'
import { type Look, looks } from './looks.ts'
import { pictureIndex } from './picture-index.ts'
import { emptyPages, type Extra, extraPictures, pictureNames } from './shown-pages.ts'
import {
  enrolled,
  enrolledOperator,
  type Sight,
  takeDoors,
  takeMember,
  takeMoments,
  takeOperator,
  takePages,
  type Tour,
} from './tour.ts'

/** The dear one is taken when it is named. */
const WITH_TOUR = ['agreement', 'parked'] as const
const extras = Object.keys(extraPictures) as Extra[]

const docs = fileURLToPath(new URL('../../../docs/console', import.meta.url))
const command = new Command('console:pictures')
  .description('Takes a picture of every page of the console in light, dark and on a phone.')
  .addArgument(
    new Argument(
      '[extras...]',
      'takes only these, each of a service of its own; cluster (three nodes on Cassandra and Kafka, minutes and 4 GB) is taken in no other way',
    ).choices(extras),
  )
  .option('--folder <folder>', 'where they are kept', docs)
  .option('--png <folder>', 'keeps the same there as PNG')
  .parse()
const { folder, png } = command.opts<{ folder: string; png?: string }>()
const wanted = command.args as Extra[]

/** Those who take up the invitations whose pages are shown. */
const PEOPLE = { light: 'Grace Hopper', dark: 'Alan Turing', phone: 'Emmy Noether' } as const

/** An endpoint that takes some events and is out of order for others. */
const startReceiver = async () => {
  let received = 0
  const server = createServer((request, response) => {
    request.resume()
    received += 1
    const isWell = received % 4 !== 0
    response.writeHead(isWell ? 200 : 503, { 'content-type': 'text/plain' })
    response.end(isWell ? 'Thank you.' : 'The ticket office is closed for the night.')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/vouchsafe` }
}

/** All of the tour's service, a look after the other, into the cameras of the looks. */
const takeTour = async (sights: readonly Sight[]): Promise<void> => {
  const world = new ConsoleWorld({
    VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true',
    VOUCHSAFE_SESSION_REQUESTS_PER_MINUTE: '100000',
  })
  const receiver = await startReceiver()
  try {
    await world.start()
    const member = await enrolled(world, world.invitation)
    const tours = sights.map((sight): Tour => ({ ...sight, world }))
    for (const tour of tours) await takePages(tour, member, emptyPages)
    const furnished = await furnish(world, { receiver: receiver.url })
    await eraseSome(world)
    const operator = await enrolledOperator(world)
    const harbour = await harbourOffice(world)
    for (const tour of tours) {
      await takeDoors(tour, PEOPLE[tour.look])
      await takeMember(tour, member, furnished)
      await takeMoments(tour, member, furnished)
      await takeOperator(tour, operator, harbour)
      console.info(`${tour.look}: ${tour.camera.taken.length} pictures`)
    }
  } finally {
    await world.stop()
    receiver.server.close()
  }
}

/** As holders ask for it: a credential that was declined, a proof that was cancelled. */
const eraseSome = async (world: ConsoleWorld): Promise<void> => {
  const order = ordering(world)
  for (const path of ['/v1/credentials?q=pass-2042', '/v1/proofs?q=door-8']) {
    const [found = {}] = (await order('GET', path))['items'] as readonly Json[]
    await order('POST', `${path.slice(0, path.indexOf('?'))}/${idOf(found)}/erase`)
  }
}

/** An organisation whose writes to the ledger an operator decides about, one of which waits. */
const harbourOffice = async (world: ConsoleWorld): Promise<string> => {
  const order = ordering(world)
  const harbour = idOf(await order('POST', '/v1/operator/tenants', { name: 'Harbour Office' }))
  await order('PATCH', `/v1/operator/tenants/${harbour}`, { endorsement: 'manual', ratePerMinute: 6_000 })
  await order('POST', '/v1/operator/api-keys', { tenantId: harbour, label: 'Ticket office' })
  const pass = { name: 'harbour pass', version: '1.0', attributes: ['name', 'berth', 'expiresAt'] }
  await ordering(world, harbour)('POST', '/v1/schemas', pass)
  return harbour
}

const sights = Object.entries(looks).map(([look, options]): Sight => {
  const camera = new Camera(join(folder, look), png === undefined ? null : join(png, look))
  return { camera, look: look as Look, options }
})
try {
  if (wanted.length === 0) await takeTour(sights)
  for (const extra of wanted.length === 0 ? WITH_TOUR : wanted) await takeExtra[extra](sights)
  for (const { look } of sights)
    for (const name of readdirSync(join(folder, look)))
      if (!pictureNames.includes(name.slice(0, name.lastIndexOf('.')))) rmSync(join(folder, look, name))
  writeFileSync(join(folder, 'README.md'), pictureIndex(pictureNames))
} finally {
  removeTemporaryFolders()
}
