import type { Described, Parameter, Placed } from './described.ts'
import { type Html, html, inlineOf, jsonOf, proseOf } from './html.ts'
import { fieldsOf, limitsOf, typeOf } from './schema-view.ts'

/** Everything about one operation: what it takes, what it answers, what it refuses, and a request to copy. */
export const operationView = (placed: Placed, document: Described): Html => {
  const { method, path, isWebhook, operation } = placed
  const { operationId, summary, description } = operation
  const verb = isWebhook ? 'EVENT' : method
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<div class="explained">
<h2 id="${operationId}-title"><a class="anchor" href="#${operationId}">${summary}</a></h2>
<p class="address"><span class="verb ${verb.toLowerCase()}">${verb}</span> <code>${broken(path)}</code></p>
${proseOf(description)}
${parametersView(operation.parameters ?? [])}
${bodyView(placed, document)}
${answersView(placed, document)}
${errorsView(placed)}
</div>
<div class="shown">${shownView(placed)}</div>
</section>
`
}

/** A long path may wrap at its slashes. */
const broken = (path: string): readonly (Html | string)[] =>
  path.split('/').flatMap((part, index) => (index === 0 ? [part] : [html`/<wbr>`, part]))

const WHERE: Readonly<Record<string, string>> = { path: 'path', query: 'query', header: 'header' }

const parametersView = (parameters: readonly Parameter[]): Html | null => {
  if (parameters.length === 0) return null
  const items = parameters.map(
    ({ name, in: place, required, description, schema }) => html`<li>
<div class="field"><code>${name}</code> <span class="type">${WHERE[place]} · ${typeOf(schema)}</span>${!required && html` <span class="optional">optional</span>`}</div>
<p>${inlineOf(description)}</p>
${limitsOf(schema)}
</li>`,
  )
  return html`<h3>Parameters</h3><ul class="fields">${items}</ul>`
}

const bodyView = ({ operation, isWebhook }: Placed, { components }: Described): Html | null => {
  const schema = operation.requestBody?.content['application/json'].schema
  return schema === undefined
    ? null
    : html`<h3>${isWebhook ? 'What is posted' : 'Body'}</h3>${fieldsOf(schema, components.schemas)}`
}

const answersView = ({ operation, isWebhook }: Placed, { components }: Described): Html => {
  const answers = Object.entries(operation.responses).filter(([status]) => isWebhook || Number(status) < 300)
  const views = answers.map(([status, { description, content, links = {} }]) => {
    const schema = content?.['application/json']?.schema
    const fields = schema === undefined ? null : fieldsOf(schema, components.schemas)
    const leads = Object.values(links).map((link) => html`<li>${inlineOf(link.description)}</li>`)
    return html`<h4><span class="status">${status}</span> ${description}</h4>
${fields !== null && html`<details class="answer"><summary>Fields of the answer</summary>${fields}</details>`}
${leads.length > 0 && html`<p class="leads">From here:</p><ul class="leads">${leads}</ul>`}`
  })
  return html`<h3>${isWebhook ? 'Your answer' : 'Answers'}</h3>${views}`
}

const errorsView = ({ operation, isWebhook }: Placed): Html | null => {
  const rows = Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.entries(content?.['application/json']?.examples ?? {}).map(
      ([code, { summary }]) =>
        html`<tr><td>${status}</td><td><a href="/docs/errors#${code}"><code>${code}</code></a></td><td>${inlineOf(summary)}</td></tr>`,
    ),
  )
  if (isWebhook || rows.length === 0) return null
  return html`<details class="errors"><summary>Errors (${rows.length})</summary>
<div class="scroll" tabindex="0" role="group" aria-label="Errors"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">When</th></tr></thead>
<tbody>${rows}</tbody></table></div></details>`
}

const shownView = (placed: Placed): Html => {
  const { operation, isWebhook } = placed
  const posted = operation.requestBody?.content['application/json'].example
  if (isWebhook) return example('What is posted', jsonOf(posted))
  const answers = Object.entries(operation.responses).flatMap(([status, { content }]) => {
    const value = content?.['application/json']?.example
    const text = content?.['text/event-stream']?.example
    if (typeof text === 'string')
      return [example(`Answer ${status}, for as long as you listen`, html`${text}`)]
    return value === undefined ? [] : [example(`Answer ${status}`, jsonOf(value))]
  })
  return html`${example('Request', html`${curlOf(placed)}`)}${answers}`
}

const example = (title: string, text: Html): Html =>
  html`<figure class="example"><figcaption>${title}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`

/** A request that can be pasted into a shell. */
const curlOf = ({ method, path, operation }: Placed): string => {
  const { parameters = [], requestBody, security } = operation
  const target = parameters
    .filter((each) => each.in === 'path')
    .reduce((address, { name, example: id }) => address.replace(`{${name}}`, String(id)), path)
  const schemes = security.flatMap((each) => Object.keys(each))
  const key = parameters.find(({ name }) => name === 'Idempotency-Key')
  const body = requestBody?.content['application/json'].example
  const lines = [
    `curl ${isStream(operation) ? '-N ' : ''}${method === 'GET' ? '' : `-X ${method} `}"$BASE_URL${target}"`,
    ...(schemes.includes('apiKey') ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...(schemes.length > 0 && !schemes.includes('apiKey') ? ['-b "__Host-vouchsafe=$SESSION"'] : []),
    ...(key === undefined ? [] : [`-H "Idempotency-Key: ${String(key.example)}"`]),
    ...(body === undefined
      ? []
      : [
          '-H "Content-Type: application/json"',
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`,
        ]),
  ]
  return lines.join(' \\\n  ')
}

/** Without -N curl buffers what arrives. */
const isStream = ({ responses }: Placed['operation']): boolean =>
  responses['200']?.content?.['text/event-stream'] !== undefined
