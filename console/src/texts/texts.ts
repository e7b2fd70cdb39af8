import en from './en.json' with { type: 'json' }

/** Another language is another file with the same names. */
export const texts = en
const LANGUAGE = 'en-GB'

/** Puts values where a text has their names in braces. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

/** What knows a language is made when it is wanted first: it takes the browser a while, and most pages want few of them. */
const once = <Made>(make: () => Made): (() => Made) => {
  let made: Made | null = null
  return () => (made ??= make())
}

const plural = once(() => new Intl.PluralRules(LANGUAGE))

/** The form of a text that fits a count, with the count in it. */
export const counted = (forms: { readonly one: string; readonly other: string }, count: number): string =>
  fill(plural().select(count) === 'one' ? forms.one : forms.other, { count: numberText(count) })

const numbers = once(() => new Intl.NumberFormat(LANGUAGE))
export const numberText = (value: number): string => numbers().format(value)

const TWO_PLACES = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
const decimals = once(() => new Intl.NumberFormat(LANGUAGE, TWO_PLACES))
export const decimalText = (value: number): string => decimals().format(value)

const exactly = once(() => new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'medium' }))
const today = once(() => new Intl.DateTimeFormat(LANGUAGE, { timeStyle: 'medium' }))
const DAY_AND_MINUTE = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
const thisYear = once(() => new Intl.DateTimeFormat(LANGUAGE, DAY_AND_MINUTE))

export const exactTime = (iso: string): string => exactly().format(new Date(iso))

export const minuteOfDay = (iso: string): string => thisYear().format(new Date(iso))

/** As short as it can be said: the time of today, day and time of this year, or all of it. */
export const shortTime = (iso: string, now = new Date()): string => {
  const at = new Date(iso)
  if (at.toDateString() === now.toDateString()) return today().format(at)
  return at.getFullYear() === now.getFullYear() ? thisYear().format(at) : exactly().format(at)
}

/** The words of a key that may be newer than this console; then the key itself. */
export const wordsOf = (known: Readonly<Record<string, string>>, key: string): string => known[key] ?? key
