import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zipEntries } from '../../../bootstrap/archives.mjs'
import { cacheFolder } from '../../../bootstrap/cache-folder.mjs'
import { supportedPlatform } from '../../../bootstrap/platform.mjs'
import { downloadWheel } from '../../../bootstrap/wheel.mjs'

const WHEEL = { wheel: 'indy-vdr', version: '0.4.2' }
const PINS = {
  'linux-x64': {
    wheelPlatform: 'manylinux2014_x86_64',
    sha256: 'b1390ee6cbf47967c565b16b7b672969ee54485dd16963ecdd451dc128aff7c1',
  },
  'linux-arm64': {
    wheelPlatform: 'manylinux2014_aarch64',
    sha256: '9dc8e16e8a0c4666c1a9f0a3e9967cb3dace92975b8dbb9b0aa2c7785ac5e12b',
  },
  'darwin-arm64': {
    wheelPlatform: 'macosx_11_0_arm64',
    sha256: '21e4cc22bdb1de581e4abe00e2201d970f46e05d2420437fe023052614867553',
  },
}

/** The folder to put into PYTHONPATH: the pinned wheel of indy-vdr, fetched once for every clone on this machine. */
export const pythonIndyVdr = async (): Promise<string> => {
  const { wheelPlatform, sha256 } = PINS[supportedPlatform()]
  const folder = join(cacheFolder(), 'python', sha256.slice(0, 16))
  if (existsSync(folder)) return folder
  mkdirSync(dirname(folder), { recursive: true })
  const bytes = await downloadWheel({ ...WHEEL, wheelPlatform }, dirname(folder))
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new Error(`the wheel ${WHEEL.wheel}==${WHEEL.version} is not the one that is pinned here`)
  const part = `${folder}.${randomUUID()}`
  try {
    for (const { name, read } of zipEntries(bytes)) {
      if (!name.startsWith('indy_vdr/')) continue
      mkdirSync(dirname(join(part, name)), { recursive: true })
      writeFileSync(join(part, name), read())
    }
    renameSync(part, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
  return folder
}
