/** The protocols in which wallets connect; a later version is answered in the last one that is known here. */
export const handshakeProtocols = ['didexchange/1.0', 'didexchange/1.1', 'connections/1.0'] as const
export type HandshakeProtocol = (typeof handshakeProtocols)[number]
