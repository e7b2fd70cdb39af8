import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { cacheFolder } from '../../bootstrap/cache-folder.mjs'
import manifest from '../../package.json' with { type: 'json' }

const VERSION = manifest.devDependencies['@sparticuz/chromium']
/** Makes the package unpack the libraries too that a machine without a desktop lacks. */
const WITH_LIBRARIES = { AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' }

/**
 * The Chromium that the lock file names, which is for Linux on x64; elsewhere the Chrome of the machine. It runs in
 * processes of its own, which end with `close`.
 */
export const startBrowser = async (words: readonly string[] = []): Promise<Browser> => {
  const args = [...words]
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return chromium.launch({ channel: 'chrome', args })
  const folder = await unpacked()
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  })
}

/** Once for all clones on a machine; whoever comes second while it is unpacked throws their own copy away. */
const unpacked = async (): Promise<string> => {
  const folder = join(cacheFolder(), `chromium-${VERSION}`)
  if (existsSync(folder)) return folder
  const own = mkdtempSync(`${folder}-`)
  try {
    const program = fileURLToPath(new URL('unpack.ts', import.meta.url))
    await promisify(execFile)(process.execPath, [program], {
      env: { ...process.env, ...WITH_LIBRARIES, TMPDIR: own },
    })
    writeFileSync(join(own, 'fonts.conf'), fontsIn(folder))
    renameSync(own, folder)
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`
