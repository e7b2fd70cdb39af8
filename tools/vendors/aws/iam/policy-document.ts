import { isJson, type Json, jsonOf, strangerIn } from '../../wire/json.ts'

export type Condition = {
  readonly operator: ConditionOperator
  /** In lower case, as keys are compared without it. */
  readonly key: string
  readonly values: readonly string[]
}

export type Statement = {
  readonly effect: 'Allow' | 'Deny'
  readonly actions: readonly string[]
  /** Of a trust policy there are none: it is the role's own. */
  readonly resources: readonly string[]
  /** Of an identity policy there are none: it is the user's or the role's own. */
  readonly principals: readonly string[]
  readonly conditions: readonly Condition[]
}

export type PolicyDocument = { readonly statements: readonly Statement[] }

export type PolicySort = 'identity' | 'trust'

const OPERATORS = ['StringEquals', 'StringNotEquals', 'StringLike', 'Bool'] as const
export type ConditionOperator = (typeof OPERATORS)[number]

/** The context that the simulator knows of a request. A condition on anything else could not be judged. */
const KEYS = ['aws:requestedregion', 'aws:securetransport', 'sts:externalid', 'sts:rolesessionname']

const MEMBERS = ['Version', 'Id', 'Statement']
const STATEMENT_MEMBERS = {
  identity: ['Sid', 'Effect', 'Action', 'Resource', 'Condition'],
  trust: ['Sid', 'Effect', 'Action', 'Principal', 'Condition'],
}

/** A text instead of a document says what is wrong with it, or what of it this simulator cannot judge. */
export const parsePolicy = (document: unknown, sort: PolicySort): PolicyDocument | string => {
  const policy = typeof document === 'string' ? jsonOf(document) : document
  if (!isJson(policy)) return 'it is not a JSON object'
  const stranger = strangerIn(policy, MEMBERS)
  if (stranger !== undefined) return `it has a member ${stranger}`
  if (policy['Version'] !== '2012-10-17') return 'its version is not 2012-10-17'
  const statements: Statement[] = []
  for (const each of listOf(policy['Statement'])) {
    const statement = isJson(each) ? statementOf(each, sort) : 'a statement is not an object'
    if (typeof statement === 'string') return statement
    statements.push(statement)
  }
  return statements.length === 0 ? 'it has no statement' : { statements }
}

function statementOf(from: Json, sort: PolicySort): Statement | string {
  const stranger = strangerIn(from, STATEMENT_MEMBERS[sort])
  if (stranger !== undefined) return `a statement has a member ${stranger}`
  const effect = from['Effect']
  if (effect !== 'Allow' && effect !== 'Deny') return 'an effect is neither Allow nor Deny'
  const actions = textsOf(from['Action'])
  if (actions === null || !actions.every((action) => action === '*' || /^[a-z0-9-]+:[\w*?]+$/i.test(action)))
    return 'an action is not of the form service:Name'
  const resources = sort === 'identity' ? textsOf(from['Resource']) : []
  if (resources === null || !resources.every((resource) => resource === '*' || resource.startsWith('arn:')))
    return 'a resource is neither * nor an ARN'
  const principals = sort === 'trust' ? principalsOf(from['Principal']) : []
  if (principals === null) return 'a principal is not an account, a user or a role of AWS'
  const conditions = conditionsOf(from['Condition'] ?? {})
  return typeof conditions === 'string' ? conditions : { effect, actions, resources, principals, conditions }
}

/** Everybody (`*`) is nobody whom an organisation should trust, so it is not known here. */
function principalsOf(from: unknown): readonly string[] | null {
  if (!isJson(from) || strangerIn(from, ['AWS']) !== undefined) return null
  const principals = textsOf(from['AWS'])
  const isKnown = (each: string): boolean =>
    /^\d{12}$/.test(each) || /^arn:aws:iam::\d{12}:(root|(user|role)\/[\w+=,.@/-]+)$/.test(each)
  return principals?.every(isKnown) ? principals : null
}

function conditionsOf(from: unknown): readonly Condition[] | string {
  if (!isJson(from)) return 'a condition is not an object'
  const conditions: Condition[] = []
  for (const [name, keys] of Object.entries(from)) {
    const operator = OPERATORS.find((known) => known === name)
    if (operator === undefined || !isJson(keys)) return `the condition ${name} is not known here`
    for (const [key, value] of Object.entries(keys)) {
      const values = textsOf(value)
      if (values === null || !KEYS.includes(key.toLowerCase())) return `the key ${key} is not known here`
      conditions.push({ operator, key: key.toLowerCase(), values })
    }
  }
  return conditions
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value]

/** One text or a list of some, as the grammar of policies has it everywhere. */
function textsOf(value: unknown): readonly string[] | null {
  const list = listOf(value)
  const texts = list.filter((each) => typeof each === 'string')
  return texts.length === list.length && texts.length > 0 ? texts : null
}
