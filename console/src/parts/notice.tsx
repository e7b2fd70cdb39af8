import type { ComponentChildren } from 'preact'
import type { Problem } from '../api/problem.ts'
import { fill, texts, wordsOf } from '../texts/texts.ts'

type Tone = 'good' | 'warn' | 'bad'

type NoticeProps = {
  readonly tone?: Tone
  readonly title?: string
  readonly children?: ComponentChildren
}

/** What comes while somebody works is read out, what is bad at once; what was there from the beginning is not. */
const ROLES = { good: 'status', warn: 'status', bad: 'alert' } as const

/** Something that is said beside what the page is about. */
export const Notice = ({ tone, title, children }: NoticeProps) => (
  <div class={`notice ${tone ?? ''}`} role={tone && ROLES[tone]}>
    {title !== undefined && <p class="title">{title}</p>}
    {children}
  </div>
)

/** The sentence of the service says what to change; what is nobody's mistake is said in our own words. */
export const reasonOf = ({ error, reason, retryAfterSeconds }: Problem): string => {
  if (error === 'no_answer') return texts.errors.noAnswer
  const said = wordsOf(texts.errors.codes, error)
  const sentence = said === error ? reason : said
  return retryAfterSeconds === null
    ? sentence
    : `${sentence} ${fill(texts.errors.later, { seconds: retryAfterSeconds })}`
}

/** Nothing where nothing is wrong. */
export const ProblemNotice = ({ problem }: { readonly problem: Problem | null }) =>
  problem && (
    <Notice tone="bad" title={texts.errors.title}>
      <p>{reasonOf(problem)}</p>
    </Notice>
  )
