import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  createMasterKeyFile,
  newMasterKey,
  readMasterKeyFile,
} from '../../src/persistence/vault/master-key-file.ts'
import { makeClusterSecret } from '../harness/cluster-secret.ts'
import { createAuthority } from '../infra/certificates.ts'
import { type Layout, paths } from './layout.ts'
import { readyUrl } from './programs.ts'
import type { ProxySettings } from './proxy/proxy.ts'
import { HOST, nodeName } from './settings.ts'

/** What the nodes share and the proxy shows: made once, and left as it is from then on. */
export const makeSecrets = (folder: string, layout: Layout): void => {
  const { vaultKey, clusterSecret, proxySettings, authority } = paths(folder)
  mkdirSync(dirname(vaultKey), { recursive: true, mode: 0o700 })
  if (readMasterKeyFile(vaultKey) === null) createMasterKeyFile(vaultKey, newMasterKey())
  makeClusterSecret(clusterSecret)
  // Of a proxy that was made before only the nodes may be others.
  const certified =
    existsSync(proxySettings) && existsSync(authority) ? readProxy(proxySettings) : newCertificate(authority)
  const settings: ProxySettings = {
    ...certified,
    host: HOST,
    port: layout.proxyPort,
    statusPort: layout.statusPort,
    nodes: layout.nodes.map((node) => ({
      name: nodeName(node),
      host: HOST,
      port: node.port,
      readyUrl: readyUrl(node),
    })),
  }
  writeFileSync(proxySettings, JSON.stringify(settings, null, 2), { mode: 0o600 })
}

type Shown = Pick<ProxySettings, 'certificate' | 'key'>

const readProxy = (file: string): Shown => {
  const { certificate, key } = JSON.parse(readFileSync(file, 'utf8')) as ProxySettings
  return { certificate, key }
}

const newCertificate = (authorityFile: string): Shown => {
  const authority = createAuthority('Vouchsafe cluster on this machine')
  writeFileSync(authorityFile, authority.certificate)
  // The key of the authority is kept nowhere: it issues this one certificate.
  return authority.issue('localhost', ['localhost', HOST])
}
