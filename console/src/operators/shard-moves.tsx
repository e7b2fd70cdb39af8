import { useState } from 'preact/hooks'
import type { ShardPlan } from '../api/generated/operations.ts'
import { call } from '../api/call.ts'
import type { Problem } from '../api/problem.ts'
import { Button } from '../parts/button.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { DangerButton } from '../records/danger-button.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { useOrder } from '../state/use-order.ts'
import { counted, decimalText, fill, numberText, texts } from '../texts/texts.ts'

const said = texts.cluster

/** A plan is shown before it is applied, and what is applied is watched until nothing moves. */
export const ShardMoves = ({ everyMs }: { readonly everyMs: number }) => {
  const { body, again } = useAnswer('getShardMoves', {}, { everyMs })
  const [plan, setPlan] = useState<ShardPlan | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const makePlan = async (): Promise<void> => {
    const answer = await call('planShardMoves', {})
    setProblem(answer.ok ? null : answer.problem)
    setPlan(answer.ok ? answer.body : null)
  }
  const done = (): void => {
    setPlan(null)
    again()
  }
  if (body === null) return null
  const underWay = body.moving.length + body.toCome.length
  return (
    <section class="card stack">
      <h2>{said.moves}</h2>
      <p role="status">{underWay === 0 ? said.nothingMoves : counted(said.underWay, underWay)}</p>
      {body.frozen && <p>{said.frozen}</p>}
      <ProblemNotice problem={problem} />
      {plan && <Plan plan={plan} onApplied={done} onForget={() => setPlan(null)} />}
      <div class="row">
        <Button onPress={() => void makePlan()}>{said.makePlan}</Button>
        {underWay > 0 && (
          <DangerButton operation="stopShardMoves" takes={{}} said={said.stop} onDone={done} />
        )}
        <DangerButton
          operation={body.frozen ? 'unfreezeShardMap' : 'freezeShardMap'}
          takes={{}}
          said={body.frozen ? said.unfreeze : said.freeze}
          onDone={done}
        />
      </div>
    </section>
  )
}

type PlanProps = { readonly plan: ShardPlan; readonly onApplied: () => void; readonly onForget: () => void }

const Plan = ({ plan, onApplied, onForget }: PlanProps) => {
  const order = useOrder('applyShardPlan')
  const apply = async (): Promise<void> => {
    if ((await order.give({ body: { moves: plan.moves } })) !== null) onApplied()
  }
  if (plan.moves.length === 0) return <p>{said.balanced}</p>
  return (
    <div class="stack">
      <p>
        {counted(said.planned, plan.moves.length)}{' '}
        {fill(said.pause, { ms: numberText(plan.expectedPauseMs) })}
      </p>
      <ul class="stack tight small">
        {plan.nodes.map(({ node, before, after }) => (
          <li key={node}>
            {fill(said.change, { node, before: decimalText(before), after: decimalText(after) })}
          </li>
        ))}
      </ul>
      <ProblemNotice problem={order.problem} />
      <div class="row">
        <Button look="main" isBusy={order.isUnderWay} onPress={() => void apply()}>
          {said.apply}
        </Button>
        <Button look="plain" onPress={onForget}>
          {texts.common.cancel}
        </Button>
      </div>
    </div>
  )
}
