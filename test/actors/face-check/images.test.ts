import { afterAll, describe, expect, it } from 'vitest'
import { keepImage, openImage } from '../../../src/actors/face-check/images.ts'
import { jpeg } from '../../biometric/pictures.ts'
import { MemoryBodies } from '../../host/parts/memory-bodies.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'
import { VaultFolder } from '../../persistence/vault/parts/vault-folder.ts'

const checkId = 'fck_00aaaaaaaa'
const connectionId = 'con_00aaaaaaaa'
const tenant = 'ten_00aaaaaaaa'

const place = new VaultFolder()
place.makeKeyFile()
const store = await place.openStore()
afterAll(() => place.close())

/** Nodes with memories of their own over the same keys and bodies. */
const node = (bodies: MemoryBodies) => ({
  bodies,
  vault: place.vault(store, { isShared: true }),
  runtime: testRuntime(),
})

describe('the image of a check', () => {
  it('is opened by the node that has the check, wherever the requests came to that kept it', async () => {
    const bodies = new MemoryBodies()
    const [asked, again, owner] = [node(bodies), node(bodies), node(bodies)]
    await asked.vault.create(connectionId, { tenant, connection: null })
    const bytes = jpeg()
    const image = { format: 'jpeg', bytes, width: 640, height: 480 } as const
    const expiresAtMs = asked.runtime.now() + 60_000
    const sent = { base64: bytes.toString('base64'), image, expiresAtMs }
    const above = { tenant, connectionId }

    const first = await keepImage(asked, checkId, above, sent)
    // What the owner does before the first event of the check.
    await owner.vault.create(checkId, { tenant, connection: connectionId })
    expect(await openImage(owner, checkId, first)).toEqual(image)
    // The same request once more, at another node: the owner has read the keys already.
    const second = await keepImage(again, checkId, above, sent)
    expect(await openImage(owner, checkId, second)).toEqual(image)
    expect(await openImage(asked, checkId, second)).toEqual(image)

    await owner.vault.erase(checkId)
    for (const { vault } of [asked, again]) vault.erasedElsewhere(checkId)
    for (const each of [asked, again, owner])
      for (const kept of [first, second]) expect(await openImage(each, checkId, kept)).toBeNull()
  })
})
