import { createConfig, lintFromString } from '@redocly/openapi-core'

/** Every rule of the linter but these, each with the reason why it is not ours. */
const OFF = {
  'tags-alphabetical': 'tags stand in the order of the work',
  'scalar-property-missing-example': 'bodies and answers have an example as a whole',
  'required-string-property-missing-min-length': 'an empty text is a text',
  'operation-4xx-problem-details-rfc7807': 'errors have the form that the contract gives them',
  'path-segment-plural': 'paths are given by the contract',
  'paths-kebab-case': 'webhooks are called after their events',
  'boolean-parameter-prefixes': 'names are given by the contract',
  'no-http-verbs-in-paths': 'it takes the options of a passkey for the method OPTIONS',
} as const

/** Rules that know other types than ours: events are shown as they happen, and everything else is JSON. */
const OURS = {
  'response-mime-type': { severity: 'error', allowedValues: ['application/json', 'text/event-stream'] },
} as const

/** One line for each objection of a linter that others use as well. */
export const standardObjections = async (document: unknown): Promise<readonly string[]> => {
  const config = await createConfig({
    extends: ['all'],
    rules: { ...Object.fromEntries(Object.keys(OFF).map((rule) => [rule, 'off'])), ...OURS },
  })
  const found = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config,
  })
  return found.map(({ ruleId, message, location }) => {
    const [place] = location
    return `${place !== undefined && 'pointer' in place ? place.pointer : ''} ${message} (${ruleId})`
  })
}
