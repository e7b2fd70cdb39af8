import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Environment } from '../../config/config.ts'

const PREFIX = 'svc_whsec_listen_'
const SECRET = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{43}$`)
const SECRET_BYTES = 32

/** Below the folder where this user's programs keep what they are set up with. */
export const usualSecretFile = (environment: Environment): string =>
  join(environment['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'vouchsafe', 'listen-secret')

/**
 * The secret of what is posted on from this machine. It is made once and stays, so that the receiver is set up once; it
 * is nobody else's. The secret of an endpoint is refused, because whoever has it can speak for the service.
 */
export const listenSecret = (file: string): string => {
  try {
    return checked(readFileSync(file, 'utf8').trim(), file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const secret = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' })
    return secret
  } catch (error) {
    // Another one that began at the same moment has made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return checked(readFileSync(file, 'utf8').trim(), file)
  }
}

const checked = (secret: string, file: string): string => {
  if (SECRET.test(secret)) return secret
  throw new Error(
    `${file} has no secret that vouchsafe listen has made, and it signs with no other: name another --secret-file.`,
  )
}
