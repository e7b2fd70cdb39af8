/**
 * What a caller should know about an operation beyond its summary, by its operationId. Who may call it, how it is
 * repeated and what it refuses is not written here: that is made from the route.
 */
export const operationTexts: Readonly<Record<string, string>> = {
  getHealth: 'For load balancers. Needs no credential and is not counted.',
  createInvitation:
    'Show `invitationUrl` to the holder as a link or a QR code. When a wallet answers, a connection comes to be with the `externalId` that is given here, and `connection.state_changed` tells each of its steps up to `completed`.',
  listConnections: '`q` looks in the external id and in what the wallet calls itself.',
  getConnection: 'A connection is ready for offers and proof requests when its state is `completed`.',
  offerCredential:
    'Answers at once; the holder decides minutes or hours later. `credential.state_changed` tells each step up to `done`. A holder who is silent for 24 hours lets the exchange end as `abandoned`. The values are signed into a credential that is kept in the wallet alone.',
  listCredentials: '`q` looks in the external id.',
  requestProof:
    'Answers at once; the holder decides later. `proof.state_changed` with the state `done` carries `verified` and `disclosed`. Every proof checks `expiresAt` of the credentials it uses, whatever the template says.',
  listProofs: '`q` looks in the external id.',
  listSchemas: '`q` looks in the name.',
  listCredentialDefinitions: '`q` looks in the name of the schema and in the tag.',
  listProofTemplates: '`q` looks in the name.',
  createProofTemplate:
    'Each group is answered by one credential. The names are checked against the published definitions. The service adds `expiresAt > now` to every group.',
  createWallet:
    'The `Idempotency-Key` is the UUID that the app made once. The same installation gets the same wallet at any later time, with a fresh token: the token before stops working. 201 the first time, 200 from then on.',
  listWallets: '`q` looks in the external id and in the installation id.',
  revokeWallet: 'The token stops working at once. Revoking it again changes nothing.',
  getWebhook: 'Where none is set, every field is null. The secret is not shown.',
  setWebhook:
    'https only, and a public address. The answer that creates the endpoint is 201 and has the signing secret, this once.',
  rotateWebhookSecret:
    'The secret is shown this once. For 24 hours deliveries carry two signatures, the new secret first.',
  streamEvents:
    'For development, where nothing can reach a webhook: `curl -N` shows what your webhook would get, as server-sent events. Events of a record come in their order; one may come again, with the same `id`. What happens while nobody listens is not kept, so production uses webhooks. Whoever comes back with `Last-Event-ID` within a minute gets what came meanwhile; where that is not kept any more, the stream begins with an event `stream.gap`. A line that begins with a colon every few seconds shows that the stream is alive. It ends when the key is revoked, when it is read too slowly, and when the service stops; `retry` says when to come back. Opening it counts as one request. An organisation may have 5 open at once; more are 429.',
  getDataRetention:
    'Personal data of exchanges that are done, declined or abandoned is erased after so many days; running exchanges are never touched.',
  getLedger: 'For wallets, and for whoever checks proofs elsewhere. May be kept for 5 minutes.',
  getOpenApi: 'This description, made from the routes.',
  beginActing:
    "Until it ends, this session calls the organisation's routes as its members do: to look, or with `mayChange` to change as well. The organisation reads in its audit log who began when and why, each request, and the end. No secret is shown: what asks for a step-up, and tokens of wallets, are refused. So is whatever changes the organisation's members, their roles, invitations or sessions. It ends after 60 minutes, with the session, or by `DELETE`. Beginning again ends what was before.",
  listMembers: '`q` looks in the address and the name.',
  listOperators: '`q` looks in the address and the name.',
}
