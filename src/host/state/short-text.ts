/**
 * Snapshots of records that are over, and deliveries, are most of what a journal keeps, and most of their text is names
 * of fields and ids that stand in it several times. Two bytes stand for each of these; all else stays as it is, sealed parts above all, so
 * that a search through the files finds what is in them.
 *
 * What is stored counts on the places of these words: they are only ever added to, at the end.
 */
const NAMES =
  'v d s type atMs status state previousState sequence steps tenant externalId errorMessage lastWord prefix problem ' +
  'nextAtMs createdAtMs updatedAtMs waitingSinceMs erasedAtMs erasedBy connectionId threadId definition catalogueId ' +
  'ledgerId nonce attributes request credential presentation id hash delivered verified disclosed proofTemplateId ' +
  'credentialDefinitionId endpoint event recordType recordId data sealed biometric updatedAt attempts attemptsBefore ' +
  'attemptLog url durationMs error nextAttemptAtMs due invitationId theirLabel theirDid theirService recipientKeys ' +
  'routingKeys ownSeed ownKey protocol closing closedAtMs name version schemaId groups predicates credentials'
const VALUES =
  'credential.state_changed proof.state_changed connection.state_changed record.erased credential proof connection ' +
  'offer-sent request-received credential-issued request-sent presentation-received response-sent completed done ' +
  'declined abandoned closed pending delivered dead forgotten api_key tenant_member operator retention ' +
  'https://didcomm.org/ did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/'

const WORDS: readonly string[] = [
  ...NAMES.split(' ').map((name) => `"${name}":`),
  ...VALUES.split(' ').map((value) => `"${value}"`),
  '"DeliveryCreated"',
  '"DeliveryAttempted"',
  '"attempt":',
  '"outcome":',
  '"sealedAnswer":',
  '"out:offer-credential"',
  '"out:request-presentation"',
  '"out:ack"',
  '"out:problem-report"',
]

/** JSON has none of these characters, so a text that has one nevertheless is told apart by the last. */
const WORD = '\u0001'
const MORE_WORDS = '\u0002'
const ID_AGAIN = '\u0003'
const ESCAPE = '\u0004'

/** What follows one of the first three: the printable characters of one byte. */
const FIRST_DIGIT = 0x21
const DIGITS = 94
const digit = (number: number): string => String.fromCharCode(FIRST_DIGIT + number)
const numberOf = (code: string): number => code.charCodeAt(1) - FIRST_DIGIT

const CODES: ReadonlyMap<string, string> = new Map(
  WORDS.map((word, at) => [word, (at < DIGITS ? WORD : MORE_WORDS) + digit(at % DIGITS)]),
)

const ID = '[a-z]{3}_[0-9a-f]{2}[0-9a-z]{8,64}'
const CONTROL = '[\\u0001-\\u0004]'
const QUOTE = 0x22
const ids = new RegExp(ID, 'g')
const long = new RegExp(`"[A-Za-z][A-Za-z.;:/_-]*":?|${ID}|${CONTROL}`, 'g')
const short = new RegExp(`${CONTROL}[^]|${ID}`, 'g')

export const shortened = (text: string): string => {
  const seen: string[] = []
  const once = (id: string): string => {
    const at = seen.indexOf(id)
    if (at >= 0) return ID_AGAIN + digit(at)
    if (seen.length < DIGITS) seen.push(id)
    return id
  }
  return text.replace(long, (found) => {
    const first = found.charCodeAt(0)
    if (first === QUOTE) return CODES.get(found) ?? found.replace(ids, once)
    return first < QUOTE ? ESCAPE + found : once(found)
  })
}

/** Throws where a text was not made by `shortened`, or by a newer release. */
export const lengthened = (text: string): string => {
  const seen: string[] = []
  return text.replace(short, (found) => {
    switch (found[0]) {
      case WORD:
        return known(WORDS[numberOf(found)])
      case MORE_WORDS:
        return known(WORDS[DIGITS + numberOf(found)])
      case ID_AGAIN:
        return known(seen[numberOf(found)])
      case ESCAPE:
        return found.slice(1)
      default:
        if (seen.length < DIGITS) seen.push(found)
        return found
    }
  })
}

const known = (word: string | undefined): string => {
  if (word === undefined) throw new Error('a snapshot has a word that this release does not know')
  return word
}
