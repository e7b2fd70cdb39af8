import type { Code } from '../../domain/codes.ts'

/** `when`: what has happened. `reason`: what an answer may say. `mend`: what a caller does about it. */
export type Meaning = { readonly when: string; readonly reason: string; readonly mend: string }

const meaning = (when: string, reason: string, mend: string): Meaning => ({ when, reason, mend })

const SMALLER = 'Shorten it; the limits are listed under Limits.'
const LATER = 'Send the same request again after `Retry-After`, with the same `Idempotency-Key`.'

/** For people who have met a code; total, so that a new code comes with its explanation. */
export const errorMeanings: Record<Code, Meaning> = {
  invalid_request: meaning(
    'The body, the query, the path or a header does not fit.',
    'alias must have at most 200 characters.',
    'Change the field that the reason names.',
  ),
  unauthorized: meaning(
    'There is no credential, or it is unknown, malformed or revoked.',
    'A valid API key, wallet token or session is required.',
    'Send a valid `Authorization: Bearer …`, or sign in again.',
  ),
  forbidden: meaning(
    'The credential is valid and may not do this: an API key on a console-only route, a viewer who wants to change something, an organisation that is suspended.',
    'This is done in the console, not with an API key.',
    'Do it in the console, or with another credential.',
  ),
  step_up_required: meaning(
    'The second factor was shown too long ago for something that shows a secret, changes who may do what, or takes something away.',
    'Show a fresh code of your authenticator or a passkey first: POST /v1/session/step-up.',
    'Show a fresh code or a passkey, then send the request again.',
  ),
  not_found: meaning(
    'No record of your organisation has this id, or there is nothing at this path.',
    'There is no connection with this id.',
    'Check the id and which organisation the key belongs to.',
  ),
  connection_not_found: meaning(
    'The `connectionId` of an offer or a proof request is unknown.',
    'There is no connection with this connectionId.',
    'Take the id from `GET /v1/connections`.',
  ),
  credential_definition_not_found: meaning(
    'A credential definition is unknown, by its catalogue id and by its ledger id.',
    'There is no credential definition with this credentialDefinitionId.',
    'Take the id from `GET /v1/credential-definitions`.',
  ),
  proof_template_not_found: meaning(
    'The `proofTemplateId` is unknown, or the template is archived.',
    'There is no active proof template with this proofTemplateId.',
    'Take the id of an active template from `GET /v1/proof-templates`.',
  ),
  method_not_allowed: meaning(
    'The path exists and does not answer this method.',
    'This path does not answer this method, only GET, HEAD, OPTIONS.',
    'Use a method of the header `Allow`.',
  ),
  idempotency_in_progress: meaning(
    'The first request with this `Idempotency-Key` is still running.',
    'The first request with this Idempotency-Key is still under way; try again.',
    LATER,
  ),
  wallet_revoked: meaning(
    'The wallet of this installation was revoked, by the organisation or because it never connected within 7 days.',
    'The wallet of this installation was revoked.',
    'The app resets, makes a new installation id, and its credentials are issued again.',
  ),
  exchange_running: meaning(
    'What is to be erased is still running.',
    'This exchange is still running; erase it when it is done, declined or abandoned.',
    'Cancel it, or wait for its end.',
  ),
  exchange_over: meaning(
    'What is to be cancelled has ended already.',
    'This exchange is over already.',
    'Look at its state.',
  ),
  organisation_being_deleted: meaning(
    'The organisation is to be deleted, or its deletion has begun.',
    'The organisation is to be deleted: restore it first.',
    'Restore it, as long as its deletion has not begun.',
  ),
  connection_not_ready: meaning(
    'The holder has not finished the handshake, or the connection has ended.',
    'The connection is not completed.',
    'Wait for `connection.state_changed` with the state `completed`, or invite the holder again.',
  ),
  credential_definition_not_published: meaning(
    'The definition is not on the ledger yet, or is deprecated.',
    'This credential definition is not published.',
    'Wait until its status is `published`, or offer another definition.',
  ),
  schema_not_published: meaning(
    'The schema is not on the ledger yet, or is deprecated.',
    'The schema is pending; it must be published first.',
    'Wait until its status is `published`, or take another schema.',
  ),
  endorsement_decided: meaning(
    'An operator has decided about this endorsement already, the other way.',
    'It was refused already; the organisation may try again.',
    'Look at the endorsement: the next attempt of the organisation has another one.',
  ),
  agreement_outdated: meaning(
    'An operator accepts an agreement of the ledger, which has another one by now.',
    'The ledger has another agreement by now: read that one first.',
    'Read the agreement again, and accept that.',
  ),
  organisation_not_ready: meaning(
    'The organisation has no published identifier on the ledger yet.',
    'The identifier of the organisation is not on the ledger yet.',
    'Try again in a minute; ask the operators when it lasts.',
  ),
  record_erased: meaning(
    'The record was erased, so nothing can be done with it any more.',
    'This record was erased.',
    'Begin a new exchange.',
  ),
  already_published: meaning(
    'A schema of this name and version, or a definition of this schema and tag, was published before.',
    'A schema with this name and version is published already.',
    'Choose another version or tag.',
  ),
  already_member: meaning(
    'The address belongs to an account of the organisation already.',
    'This address belongs to a member already.',
    'Nothing has to be done.',
  ),
  has_administrator: meaning(
    'An operator invites the first administrator of an organisation, which has an administrator who has signed up.',
    'The organisation has an administrator: from now on its administrators invite others.',
    'Ask an administrator of the organisation to invite; where none can sign in any more, use the command line of the machine.',
  ),
  last_administrator: meaning(
    'The organisation would be left without an administrator.',
    'The last administrator can neither go nor become a viewer.',
    'Make another member an administrator first.',
  ),
  members_too_many: meaning(
    'The organisation has as many members as it may have.',
    'The organisation has 500 members, which is the most.',
    'Remove a member first.',
  ),
  no_cluster: meaning(
    'The service runs as one process, which serves every shard: nothing can be moved.',
    'This service is one process, which serves every shard itself.',
    'Nothing has to be done; nodes of a cluster share a journal on Cassandra.',
  ),
  plan_outdated: meaning(
    'A plan is to be applied, and a shard of it has another place by now.',
    'Shard 47 is elsewhere by now: make a new plan.',
    'Make a new plan, look at it, and apply that.',
  ),
  move_not_possible: meaning(
    'A shard is pinned, the map is frozen, the node takes no shards, or no other node could take them.',
    'Shard 47 is pinned.',
    'Change what the reason names: unpin the shard, unfreeze the map, or let a node take part.',
  ),
  payload_too_large: meaning(
    'The body is larger than the route accepts.',
    'The body is larger than this route accepts.',
    SMALLER,
  ),
  unsupported_media_type: meaning(
    'The body is not sent as `application/json` in UTF-8.',
    'The body must be sent as application/json in UTF-8, without a content encoding.',
    'Send `Content-Type: application/json`.',
  ),
  idempotency_key_reused: meaning(
    'The `Idempotency-Key` was used with another body.',
    'This Idempotency-Key was used with another body; a new request needs a new key.',
    'Make a new key for a new request, and keep it for its retries.',
  ),
  attributes_mismatch: meaning(
    'The names of the attributes are not those of the schema.',
    'The attributes differ from the schema (missing: "name"; not in the schema: "nmae").',
    'Send exactly the attributes of the schema; the reason lists the difference.',
  ),
  attributes_too_many: meaning(
    'The offer has more attributes than an offer may have.',
    '126 attributes are too many: an offer may have 125.',
    SMALLER,
  ),
  attribute_name_too_long: meaning(
    'A name is longer than a name may be.',
    'The attribute name "…" is longer than 100 characters.',
    SMALLER,
  ),
  attribute_value_too_large: meaning(
    'A value is larger than a value may be.',
    'The value of "photo" has 5000 bytes: it may have 4096.',
    `${SMALLER} Of a document, put its hash or a reference into the credential.`,
  ),
  attributes_too_large: meaning(
    'All names and values together are too large.',
    'Names and values have 70000 bytes together: they may have 65536.',
    SMALLER,
  ),
  expires_at_required: meaning(
    'The attribute `expiresAt` is missing.',
    'The attribute expiresAt is required: Unix seconds as text, at which the credential ends.',
    'Every credential ends: send the time as Unix seconds in text.',
  ),
  expires_at_invalid: meaning(
    '`expiresAt` is not Unix seconds as text, not in the future, or later than 2147483647.',
    'expiresAt must be Unix seconds as text, in the future and at most 2147483647.',
    'See Encoding for the form.',
  ),
  biometric_reference_required: meaning(
    'A biometric policy applies and the reference image is missing.',
    'biometric.referenceImage is required for this credential definition.',
    'Send `biometric.referenceImage`.',
  ),
  reference_image_invalid: meaning(
    'The reference image is not one whole JPEG or PNG of at most 5 MB.',
    'biometric.referenceImage is cut off: its end is missing.',
    'Send another image.',
  ),
  biometric_setup_invalid: meaning(
    'The account at the vendor of face checks was tried before it is saved, and something is wrong with it.',
    'The access key may not do rekognition:CompareFaces.',
    'Do what each sentence says, at the vendor or in what you send.',
  ),
  biometric_vendor_missing: meaning(
    'A proof template needs a face check, and no vendor is set that could do one.',
    'The proof template needs a face check, and no vendor of face checks is set.',
    'Set a vendor in the console, or take the check from the template.',
  ),
  ledger_ceiling_reached: meaning(
    'The organisation has written to the ledger as often as it may in a day.',
    'The organisation has reached its ledger writes of today.',
    'Try again tomorrow, or ask the operators for more.',
  ),
  mailbox_full: meaning(
    'A wallet behind the mediator has too many messages waiting, in all or from this sender.',
    'The wallet has too many messages waiting; send this one again when it has taken some.',
    'Send the message again later, at growing intervals.',
  ),
  rate_limited: meaning(
    'More requests than the rate allows.',
    'The rate of this key is 300 requests in 60 seconds; try again later.',
    'Send the request again after `Retry-After`; it is never too early then.',
  ),
  internal: meaning(
    'Something went wrong on our side.',
    'Something went wrong on our side; quote the X-Request-Id when you report it.',
    'Send the same request again with the same `Idempotency-Key`; report it with its `X-Request-Id` when it lasts.',
  ),
  unavailable: meaning(
    'A part of the service is away. Nothing was changed, or the retry with the same key finds out what was.',
    'The request could not be finished now; try again.',
    LATER,
  ),
  overloaded: meaning(
    'More work is under way than can be taken on. Nothing was changed.',
    'Too many requests are under way; try again.',
    LATER,
  ),
}
