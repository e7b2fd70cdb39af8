import { file, flag } from './setting.ts'

type TlsNames = { readonly tls: string; readonly ca: string; readonly cert: string; readonly key: string }

/** The same four for every server that may want TLS. */
export const tlsSettings = (names: TlsNames, server: string) => ({
  tls: flag(names.tls, {
    default: false,
    doc: `TLS to ${server}, whose certificate and host name are always checked.`,
  }),
  tlsCaFile: file(names.ca, {
    default: '',
    doc: `PEM file with the authorities that may have issued the certificate of ${server}. Empty: those that Node brings.`,
  }),
  tlsCertFile: file(names.cert, {
    default: '',
    doc: `PEM file with the certificate that the service shows to ${server}. Empty: it shows none.`,
  }),
  tlsKeyFile: file(names.key, {
    default: '',
    doc: 'PEM file with the private key of that certificate.',
  }),
})
