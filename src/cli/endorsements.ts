import { type Command, Option } from 'commander'
import { orders } from './orders.ts'
import type { Order } from './run-order.ts'
import type { Answer } from './service-call.ts'

type Endorsement = {
  readonly id: string
  readonly organisationId: string
  readonly recordType: string
  readonly recordId: string
  readonly content: Content | null
  readonly status: string
  readonly reason: string | null
  readonly createdAt: string
}

type Content = {
  readonly schemaName: string
  readonly schemaVersion: string
  readonly attributes: readonly string[]
  readonly tag: string | null
}

/** What organisations want to write to the ledger, where an operator decides about each write. */
export const registerEndorsements = (program: Command, order: Order): void => {
  const endorsements = program
    .command('endorsements')
    .description('what organisations want to write to the ledger, where an operator decides')
  endorsements
    .command('list')
    .description('list them, newest first')
    .addOption(
      new Option('--status <status>', 'those that were not decided, unless another is named')
        .choices(['waiting', 'approved', 'refused'])
        .default('waiting'),
    )
    .action(order(orders['endorsements list'], text))
  endorsements
    .command('approve <id>')
    .description('let the endorser of the service sign it')
    .action(order(orders['endorsements approve']))
  endorsements
    .command('refuse <id>')
    .description('refuse it; the organisation reads the reason and may try again')
    .requiredOption('--reason <reason>', 'why')
    .action(order(orders['endorsements refuse']))
}

/** The agreement that a real network wants accepted before anything is written. */
export const registerAgreement = (program: Command, order: Order): void => {
  const agreement = program.command('agreement').description('the agreement of the ledger (TAA)')
  agreement
    .command('show')
    .description('show its text, and whether it is accepted')
    .action(order(orders['agreement show']))
  agreement
    .command('accept')
    .description('accept it in the name of the operator of the service')
    .requiredOption('--digest <digest>', 'of the text that was shown')
    .requiredOption('--mechanism <mechanism>', 'one that the ledger has')
    .action(order(orders['agreement accept']))
}

const text = ({ items }: Answer): string => {
  const found = items as readonly Endorsement[]
  if (found.length === 0) return 'There are none.'
  return found
    .map(({ id, createdAt, status, organisationId, recordType, recordId, content, reason }) =>
      [id, createdAt, status, organisationId, recordType, recordId, contentText(content), reason ?? '']
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** An attribute may have any character, so each is quoted: no name ends a line, or stands for two. */
const contentText = (content: Content | null): string => {
  if (content === null) return '(gone)'
  const { schemaName, schemaVersion, attributes, tag } = content
  return `${schemaName} ${schemaVersion}${tag === null ? '' : `, tag ${tag}`} (${attributes.map((name) => JSON.stringify(name)).join(', ')})`
}
