// npm run console:pictures: every page of the console in light, dark and on a phone, into docs/console.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { once } from 'node:events'
import { Command } from 'commander'
import { ConsoleWorld, enrol } from '../../../test/integration/console/parts/console-world.ts'
import { furnish, idOf, ordering } from '../../../test/integration/console/parts/furnished.ts'
import { removeTemporaryFolders } from '../../../test/temporary-folder.ts'
import { Camera } from './camera.ts'
import { type Look, looks } from './looks.ts'
import { pictureIndex } from './picture-index.ts'
import { emptyPages } from './shown-pages.ts'
import { takeDoors, takeMember, takeMoments, takeOperator, takePages, type Tour } from './tour.ts'

const docs = fileURLToPath(new URL('../../../docs/console', import.meta.url))
const { folder, png } = new Command('console:pictures')
  .description('Takes a picture of every page of the console in light, dark and on a phone.')
  .option('--folder <folder>', 'where they are kept', docs)
  .option('--png <folder>', 'keeps the same there as PNG')
  .parse()
  .opts<{ folder: string; png?: string }>()

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

const world = new ConsoleWorld({
  VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true',
  VOUCHSAFE_SESSION_REQUESTS_PER_MINUTE: '100000',
})
const receiver = await startReceiver()
try {
  await world.start()
  const { page } = await world.open()
  await enrol(page, world.invitation)
  const member = await page.context().storageState()
  const tours = Object.entries(looks).map(([look, options]): Tour => {
    const camera = new Camera(join(folder, look), png === undefined ? null : join(png, look))
    return { world, camera, look: look as Look, options }
  })
  for (const tour of tours) await takePages(tour, member, emptyPages)
  const furnished = await furnish(world, { receiver: receiver.url })
  const order = ordering(world)
  const { invitationLink } = await order('POST', '/v1/operator/operators', {
    emailAddress: 'ops@example.org',
  })
  const { page: operatorPage } = await world.open()
  await enrol(operatorPage, String(invitationLink), 'Oskar Operator', 'Organisations')
  const operator = await operatorPage.context().storageState()
  const harbour = idOf(await order('POST', '/v1/operator/tenants', { name: 'Harbour Office' }))
  await order('PATCH', `/v1/operator/tenants/${harbour}`, { endorsement: 'manual', ratePerMinute: 6_000 })
  await order('POST', '/v1/operator/api-keys', { tenantId: harbour, label: 'Ticket office' })
  const pass = { name: 'harbour pass', version: '1.0', attributes: ['name', 'berth', 'expiresAt'] }
  await ordering(world, harbour)('POST', '/v1/schemas', pass)
  for (const tour of tours) {
    await takeDoors(tour, PEOPLE[tour.look])
    await takeMember(tour, member, furnished)
    await takeMoments(tour, member, furnished)
    await takeOperator(tour, operator, harbour)
    for (const name of readdirSync(join(folder, tour.look)))
      if (!tour.camera.taken.includes(name.slice(0, name.lastIndexOf('.'))))
        rmSync(join(folder, tour.look, name))
    console.info(`${tour.look}: ${tour.camera.taken.length} pictures`)
  }
  writeFileSync(join(folder, 'README.md'), pictureIndex(tours.at(0)?.camera.taken ?? []))
} finally {
  await world.stop()
  receiver.server.close()
  removeTemporaryFolders()
}
