import type { Sdk } from '../core/public.ts'
import { shownConnection, shownCredential, shownOffer, shownRequest } from './shown.ts'

/** Says what happens by itself, with what can be done about it. */
export const tellEvents = (sdk: Sdk, say: (line: string) => void): void => {
  sdk.on('connectionChanged', (connection) => {
    if (connection.state !== 'connecting') say(`* ${shownConnection(connection)}`)
  })
  sdk.on('offerChanged', (offer) => {
    if (offer.state === 'offered') say(`* An offer: ${shownOffer(offer)}. Say accept or decline.`)
    else if (offer.state === 'abandoned') say(`* An offer was taken back: ${shownOffer(offer)}`)
  })
  sdk.on('credentialReceived', (credential) => say(`* Received ${shownCredential(credential)}`))
  sdk.on('proofRequestChanged', (request) => {
    if (request.state === 'requested')
      say(`* A request: ${shownRequest(request)}. Say show, present or refuse.`)
    else if (request.state !== 'presented') say(`* ${shownRequest(request)}`)
  })
  sdk.on('messageDropped', ({ reason, error }) =>
    say(error === undefined ? `* A message could not be read: ${reason}` : `* ${error.kind}: ${reason}`),
  )
  sdk.on('syncFailed', ({ kind, message }) => say(`* ${kind}: ${message}`))
}
