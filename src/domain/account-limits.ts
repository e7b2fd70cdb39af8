export type Limit = { readonly value: number; readonly unit: string; readonly doc: string }

/** What holds for the people of the console and their sessions. */
export const accountLimits = {
  memberSessionHours: { value: 24, unit: 'hours', doc: "A member's console session." },
  operatorSessionHours: { value: 12, unit: 'hours', doc: "An operator's console session." },
  sessionsMax: {
    value: 10,
    unit: 'sessions',
    doc: 'Sessions of one account at once; the oldest makes room.',
  },
  membersMax: {
    value: 500,
    unit: 'members',
    doc: 'Members of one organisation, and operators of the service.',
  },
  memberInvitationDays: { value: 7, unit: 'days', doc: 'How long an invitation to the console is good for.' },
  passwordCharactersMin: { value: 12, unit: 'characters', doc: 'Length of a password, at least.' },
  passwordCharactersMax: { value: 200, unit: 'characters', doc: 'Length of a password, at most.' },
  passkeysMax: { value: 10, unit: 'passkeys', doc: 'Passkeys of one account.' },
  recoveryCodes: { value: 10, unit: 'codes', doc: 'Recovery codes of an account; each works once.' },
  secondFactorMinutes: {
    value: 5,
    unit: 'minutes',
    doc: 'Time for the second factor after the password was right.',
  },
  stepUpMinutes: {
    value: 5,
    unit: 'minutes',
    doc: 'After the second factor was shown, how long a session may see secrets.',
  },
  newAuthenticatorMinutes: {
    value: 10,
    unit: 'minutes',
    doc: 'Time for the first code of a new authenticator after its seed was shown.',
  },
  actingMinutes: {
    value: 60,
    unit: 'minutes',
    doc: 'How long an operator acts for an organisation before the reason has to be given again.',
  },
  actingReasonCharactersMax: {
    value: 500,
    unit: 'characters',
    doc: 'Length of the reason why an operator acts for an organisation.',
  },
  signInAttemptsOfAccount: {
    value: 5,
    unit: 'attempts',
    doc: 'Failed attempts to sign in to one account before the first pause.',
  },
  signInAttemptsOfAddress: {
    value: 20,
    unit: 'attempts',
    doc: 'Failed attempts to sign in from one network address before the first pause.',
  },
  signInAttemptsOfNetwork56: {
    value: 100,
    unit: 'attempts',
    doc: 'The same of all addresses of an IPv6 /56 together.',
  },
  signInAttemptsOfNetwork48: {
    value: 400,
    unit: 'attempts',
    doc: 'The same of all addresses of an IPv6 /48 together.',
  },
  knownDeviceDays: {
    value: 90,
    unit: 'days',
    doc: 'How long a browser in which somebody has signed in has a count of attempts of its own.',
  },
  sessionFailuresMax: {
    value: 10,
    unit: 'attempts',
    doc: 'Wrong codes and passwords that are shown in one session; the last of them ends it.',
  },
  signInPauseFirstSeconds: {
    value: 30,
    unit: 'seconds',
    doc: 'First pause after too many attempts to sign in; doubles with each further one.',
  },
  signInPauseSecondsMax: {
    value: 900,
    unit: 'seconds',
    doc: 'Longest pause between two attempts to sign in.',
  },
} as const satisfies Record<string, Limit>
