import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SECRET_BYTES = 48

/** The secret that the nodes of a cluster share, made at the first time. */
export const makeClusterSecret = (file: string): string => {
  if (!existsSync(file)) writeFileSync(file, randomBytes(SECRET_BYTES).toString('base64url'), { mode: 0o600 })
  return file
}

/** For nodes whose master key is in this file: they find each other, on ports that the system chooses. */
export const linkSettings = (keyFile: string): Readonly<Record<string, string>> => ({
  VOUCHSAFE_CLUSTER_SECRET_FILE: makeClusterSecret(join(dirname(keyFile), 'cluster.secret')),
  VOUCHSAFE_LINK_PORT: '0',
})
