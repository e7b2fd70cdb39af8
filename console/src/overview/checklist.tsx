import { LinkButton } from '../parts/button.tsx'
import { usePerson } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { fill, texts } from '../texts/texts.ts'
import { FIRST_STEPS, type FirstStep, firstSteps } from './first-steps.ts'

const said = texts.checklist

/** From an empty organisation to a proof, with the next step to take. Gone when all of it is done. */
export const Checklist = () => {
  const { mayChange } = usePerson()
  const published = { query: { status: 'published' as const } }
  const { body: schemas } = useAnswer('listSchemas', published)
  const { body: definitions } = useAnswer('listCredentialDefinitions', published)
  const { body: templates } = useAnswer('listProofTemplates', {})
  const { body: webhook } = useAnswer('getWebhook', {})
  const { body: connections } = useAnswer('listConnections', { query: { state: ['completed'] } })
  const { body: credentials } = useAnswer('listCredentials', {})
  if (!schemas || !definitions || !templates || !webhook || !connections || !credentials) return null
  const done: Readonly<Record<FirstStep, boolean>> = {
    schema: schemas.total > 0,
    definition: definitions.total > 0,
    connection: connections.total > 0,
    credential: credentials.total > 0,
    template: templates.total > 0,
    webhook: webhook.url !== null,
  }
  const next = firstSteps.find((name) => !done[name])
  if (next === undefined) return null
  const progress = { done: firstSteps.filter((name) => done[name]).length, all: firstSteps.length }
  return (
    <section class="card" aria-label={said.title}>
      <div class="row apart">
        <h2>{said.title}</h2>
        <span class="quiet">{fill(said.progress, progress)}</span>
      </div>
      <ol class="checklist">
        {firstSteps.map((name, index) => (
          <li key={name} class={done[name] ? 'is-done' : ''}>
            <span class="mark">
              <span aria-hidden="true">{done[name] ? '✓' : index + 1}</span>
              <span class="unseen">{done[name] ? said.done : said.open}</span>
            </span>
            <div>
              <strong>{said.steps[name].title}</strong>
              <p class="quiet small">{said.steps[name].text}</p>
            </div>
            {!done[name] && mayChange && (
              <LinkButton to={FIRST_STEPS[name]} {...(name === next && { look: 'main' as const })}>
                {said.steps[name].go}
              </LinkButton>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
