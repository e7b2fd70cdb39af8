import { expect } from 'vitest'
import { inviteAccount } from '../../../src/actors/account/members.ts'
import { createApiKey } from '../../../src/actors/api-key/commands.ts'
import { publishDefinition } from '../../../src/actors/credential-definition/publish.ts'
import { credentialDefinition } from '../../../src/actors/credential-definition/rules.ts'
import { publishSchema } from '../../../src/actors/schema/publish.ts'
import { schema } from '../../../src/actors/schema/rules.ts'
import { createTenant } from '../../../src/actors/tenant/commands.ts'
import { startNodeServer } from '../../../src/http/server/node-server.ts'
import type { HttpServer } from '../../../src/http/server/server.ts'
import { allowed, tokenOf } from '../../actors/account/accounts-world.ts'
import { type ApiOnMemory, apiOnMemory } from '../../compose/api-on-memory.ts'
import { consolePeople } from '../../compose/console-people.ts'
import { furnished, type Through } from '../../compose/service-on-memory.ts'
import { eventually } from '../../eventually.ts'
import { askById } from '../../host/parts/ask-by-id.ts'
import type { Inside, Place } from './place.ts'
import { holdAt, sendTo } from './send.ts'

const UNIQUE = 'aaaaaaaaaa'
const HOST = '127.0.0.1'

/** A whole service in memory behind a real HTTP server, on a clock that is set. */
export const memoryPlace = async (through?: Through): Promise<Place> => {
  const api = await apiOnMemory(undefined, undefined, through)
  const { useCases, runtime } = api.service
  const furniture = await furnished(api.service, UNIQUE)
  const people = consolePeople(api)
  const open: HttpServer[] = []
  const serve: Inside['serve'] = async (door, start = startNodeServer) => {
    const options = { host: HOST, port: 0, tls: null, bodyMemoryBytesMax: 100_000_000 }
    const server = await start(options, door)
    open.push(server)
    return server.port
  }
  const port = await serve(api.door)
  return {
    furniture,
    key: await api.keyOf(furniture.tenant),
    origin: 'https://issuer.example',
    send: (method, asked, headers, toPort = port) =>
      sendTo(`http://${HOST}:${toPort}`, method, asked, headers),
    hold: (target, bearer) => holdAt(`http://${HOST}:${port}${target}`, bearer),
    now: () => runtime.now(),
    pass: async (ms) => runtime.forward(ms),
    nextCode: async (seed) => people.nextCode(seed),
    invite: async (organisation, emailAddress, role) =>
      tokenOf(allowed(await inviteAccount(people.ports, organisation, emailAddress, role)).link),
    newTenant: async () => allowed(await createTenant(useCases, 'Another')).id,
    keyOf: (tenant) => api.keyOf(tenant),
    keyWithRate: async (ratePerMinute) => {
      const order = { tenant: furniture.tenant, label: 'limited', ratePerMinute }
      return allowed(await createApiKey(useCases, order)).key ?? ''
    },
    ...recordsOf(api, furniture.tenant),
    inside: () => ({ api, serve }),
    close: async () => {
      for (const server of open) {
        server.stopAccepting()
        await server[Symbol.asyncDispose]()
      }
      await api.close()
    },
  }
}

/** What some cases need beside the usual. */
const recordsOf = (api: ApiOnMemory, tenant: string) => {
  const { useCases, actors, runtime } = api.service
  let made = 0
  const schemaOf = async (attributes: readonly string[]): Promise<string> => {
    const order = { tenant, name: `schema${++made}`, version: '1.0', attributes: [...attributes] }
    const { id } = allowed(await publishSchema(useCases, order))
    await eventually(async () =>
      expect(await actors.read(schema.ref(id))).toMatchObject({ status: 'published' }),
    )
    return id
  }
  return {
    publish: async (attributes: readonly string[]): Promise<string> => {
      const schemaId = await schemaOf(attributes)
      const { id } = allowed(await publishDefinition(useCases, { tenant, schemaId, tag: `tag${made}` }))
      await eventually(async () =>
        expect(await actors.read(credentialDefinition.ref(id))).toMatchObject({ status: 'published' }),
      )
      return id
    },
    /** One whose keys never come. */
    unpublishedDefinition: async (): Promise<string> => {
      const schemaId = await schemaOf(['name', 'expiresAt'])
      api.service.hold.definitions = 1
      const { id } = allowed(await publishDefinition(useCases, { tenant, schemaId, tag: `tag${made}` }))
      await eventually(() => expect(api.service.hold.definitions).toBe(0))
      return id
    },
    keyOfUnready: async (): Promise<string> => {
      api.service.hold.identities = 1
      const { id } = allowed(await createTenant(useCases, 'Unready'))
      await eventually(() => expect(api.service.hold.identities).toBe(0))
      return api.keyOf(id)
    },
    waitingConnection: async (): Promise<string> => {
      const id = `con_00waiting${String(++made).padStart(6, '0')}`
      const their = {
        theirLabel: 'Phone',
        theirDid: 'did',
        theirService: null,
        ownSeed: 'seed',
        ownKey: 'key',
        protocol: 'didexchange/1.1',
        prefix: 'https://didcomm.org/',
      }
      const about = { tenant, invitationId: 'inv_00aaaaaaaaaa', externalId: null, threadId: id }
      const command = { type: 'RequestConnection', atMs: runtime.now(), ...about, ...their }
      await askById(actors, id, command, { commandId: id, timeoutMs: 5_000, tenant })
      return id
    },
  }
}
