import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The authenticator of somebody who has no `oathtool`: what it prints for `--totp -b SEED`. */
export const authenticatorIn = (folder: string): void => {
  const otpauth = JSON.stringify(createRequire(import.meta.url).resolve('otpauth'))
  writeFileSync(
    join(folder, 'totp.cjs'),
    `const { Secret, TOTP } = require(${otpauth})\nconsole.log(new TOTP({ secret: Secret.fromBase32(process.argv[2]) }).generate())\n`,
  )
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(folder, 'totp.cjs')}" "$3"\n`
  writeFileSync(join(folder, 'oathtool'), program, { mode: 0o755 })
}
