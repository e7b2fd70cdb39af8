import { LinkButton } from '../parts/button.tsx'
import { usePerson } from '../state/session.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { fill, texts } from '../texts/texts.ts'

const said = texts.checklist

type Step = {
  readonly name: keyof typeof said.steps
  readonly isDone: boolean
  readonly to: string
}

/** From an empty organisation to the first credential, with the next step to take. Gone when all of it is done. */
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
  const steps: readonly Step[] = [
    { name: 'schema', isDone: schemas.total > 0, to: '/console/schemas/new' },
    { name: 'definition', isDone: definitions.total > 0, to: '/console/definitions/new' },
    { name: 'webhook', isDone: webhook.url !== null, to: '/console/webhook' },
    { name: 'template', isDone: templates.total > 0, to: '/console/templates/new' },
    { name: 'connection', isDone: connections.total > 0, to: '/console/connections/new' },
    { name: 'credential', isDone: credentials.total > 0, to: '/console/credentials/new' },
  ]
  const next = steps.find(({ isDone }) => !isDone)
  if (next === undefined) return null
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <section class="card" aria-label={said.title}>
      <div class="row apart">
        <h2>{said.title}</h2>
        <span class="quiet">{fill(said.progress, { done, all: steps.length })}</span>
      </div>
      <ol class="checklist">
        {steps.map(({ name, isDone, to }, index) => (
          <li key={name} class={isDone ? 'is-done' : ''}>
            <span class="mark">
              <span aria-hidden="true">{isDone ? '✓' : index + 1}</span>
              <span class="unseen">{isDone ? said.done : said.open}</span>
            </span>
            <div>
              <strong>{said.steps[name].title}</strong>
              <p class="quiet small">{said.steps[name].text}</p>
            </div>
            {!isDone && mayChange && (
              <LinkButton to={to} {...(name === next.name && { look: 'main' as const })}>
                {said.steps[name].go}
              </LinkButton>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
