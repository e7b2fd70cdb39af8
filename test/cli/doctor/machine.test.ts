import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataFolder, privatePort, publicPort } from '../../../src/cli/doctor/machine.ts'
import { loadConfig } from '../../../src/config/config.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const listening = async (answer: string) => {
  const server = createServer((_request, response) => response.end(answer))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    config: loadConfig({ PORT: String(port), VOUCHSAFE_PRIVATE_PORT: '0' }),
    close: () => server.close(),
  }
}

describe('the data folder', () => {
  it('is fine when it can be created and written', async () => {
    const folder = join(temporaryFolder('vouchsafe-doctor'), 'new')
    expect(await dataFolder.run(loadConfig({ VOUCHSAFE_DATA_FOLDER: folder }))).toMatchObject({ ok: true })
  })

  it('is broken when it cannot', async () => {
    const file = join(temporaryFolder('vouchsafe-doctor'), 'file')
    writeFileSync(file, '')
    expect(await dataFolder.run(loadConfig({ VOUCHSAFE_DATA_FOLDER: join(file, 'in') }))).toMatchObject({
      ok: false,
      detail: expect.stringContaining('ENOTDIR') as string,
      mend: expect.stringContaining('VOUCHSAFE_DATA_FOLDER') as string,
    })
  })
})

describe('a port', () => {
  it('is fine when it is free or chosen by the system', async () => {
    const config = loadConfig({ PORT: '0', VOUCHSAFE_PRIVATE_PORT: '0' })
    expect(await publicPort.run(config)).toMatchObject({ ok: true })
    expect(await privatePort.run(config)).toMatchObject({ ok: true })
  })

  it('is fine when a Vouchsafe that runs already has it', async () => {
    const { config, close } = await listening('{"status":"ok"}')
    expect(await publicPort.run(config)).toMatchObject({
      ok: true,
      detail: expect.stringContaining('runs already') as string,
    })
    close()
  })

  it('is broken when another program has it', async () => {
    const { config, close } = await listening('hello')
    expect(await publicPort.run(config)).toMatchObject({
      ok: false,
      mend: expect.stringContaining('PORT') as string,
    })
    close()
  })

  it('is broken on an address that is not of this machine', async () => {
    const found = await publicPort.run(loadConfig({ VOUCHSAFE_HOST: '192.0.2.1' }))
    expect(found).toMatchObject({ ok: false, detail: 'cannot listen on 192.0.2.1:8080 (EADDRNOTAVAIL)' })
  })
})
