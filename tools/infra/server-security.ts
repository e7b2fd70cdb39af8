import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Certified, createAuthority } from './certificates.ts'

/** A server that speaks TLS alone, and only with whom it knows by certificate and by password. */
export type ServerSecurity = {
  readonly authority: string
  readonly server: Certified
  readonly client: Certified
  readonly username: string
  readonly password: string
}

export const newServerSecurity = (username: string, password: string): ServerSecurity => {
  const authority = createAuthority('servers of a test')
  return {
    authority: authority.certificate,
    server: authority.issue('server', ['127.0.0.1', 'localhost']),
    client: authority.issue('client', ['client']),
    username,
    password,
  }
}

/** The two files that Java reads, as PEM. */
export const writeStores = (
  folder: string,
  { authority, server }: ServerSecurity,
): { readonly keyStore: string; readonly trustStore: string } => {
  const [keyStore, trustStore] = [join(folder, 'server.pem'), join(folder, 'authority.pem')]
  mkdirSync(folder, { recursive: true })
  writeFileSync(keyStore, `${server.key}${server.certificate}`, { mode: 0o600 })
  writeFileSync(trustStore, authority)
  return { keyStore, trustStore }
}

/** What Node needs to connect there. */
export const tlsOptions = ({ authority, client }: ServerSecurity) => ({
  ca: [authority],
  cert: client.certificate,
  key: client.key,
  rejectUnauthorized: true,
})
