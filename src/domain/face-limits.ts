/** What the API promises of face checks. */
export const faceLimitTable = {
  faceAttemptsDefault: {
    value: 3,
    unit: 'attempts',
    doc: 'Attempts of a face check, unless the organisation says otherwise.',
  },
  faceAttemptsMax: { value: 10, unit: 'attempts', doc: 'Most attempts of a face check that can be set.' },
  faceWindowMinutesDefault: {
    value: 30,
    unit: 'minutes',
    doc: 'From the offer, or the request for a proof, to the end of its face check, unless the organisation says otherwise.',
  },
  faceWindowMinutesMin: { value: 5, unit: 'minutes', doc: 'Shortest time of a face check that can be set.' },
  faceWindowMinutesMax: {
    value: 1_440,
    unit: 'minutes',
    doc: 'Longest time of a face check that can be set.',
  },
  faceSessionsMax: { value: 10, unit: 'sessions', doc: 'Sessions at the vendor in one face check.' },
} as const
