import type { ComponentChildren } from 'preact'
import { Empty } from '../parts/empty.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { Loaded } from '../state/use-answer.ts'
import { texts } from '../texts/texts.ts'

type RecordViewProps<Body> = {
  readonly loaded: Loaded<Body>
  readonly list: { readonly to: string; readonly text: string }
  readonly children: (body: Body) => ComponentChildren
}

/** One record: awaited, gone, or as it is. */
export const RecordView = <Body,>({ loaded, list, children }: RecordViewProps<Body>) => {
  const { body, problem, isLoading } = loaded
  // What is there may be the record of the address before.
  if (body !== null && !isLoading)
    return (
      <>
        {problem && (
          <Notice tone="warn">
            <p>{texts.errors.stale}</p>
          </Notice>
        )}
        {children(body)}
      </>
    )
  if (problem === null || isLoading) return <p role="status">{texts.common.loading}</p>
  return (
    <>
      <PageHead title={list.text} back={list} />
      {problem.status === 404 ? (
        <Empty title={texts.errors.recordGoneTitle} text={texts.errors.recordGone}>
          <LinkButton to={list.to}>{list.text}</LinkButton>
        </Empty>
      ) : (
        <ProblemNotice problem={problem} />
      )}
    </>
  )
}
