import type { Static, TSchema } from 'typebox'
import { isRefused, type KindTypes, refuse, type Refused } from '../domain/decider.ts'
import type { CancelCommand } from '../domain/endings.ts'
import type { EraseCommand } from '../domain/erasure.ts'
import type { Eraser } from '../domain/exchange.ts'
import type { FaceChecked } from '../domain/face-check.ts'
import type { Ref, References } from '../domain/references.ts'
import { type Callers, TENANT_CALLERS } from '../http/callers/caller.ts'
import type { Tag } from '../http/openapi/tags.ts'
import { refusal } from '../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../http/route/route.ts'
import { erasureWithConnection } from './connection/for-exchanges.ts'
import type { Erased } from './erased-records.ts'
import { newRef } from './ids.ts'
import type { ApiPorts } from './kind-ports.ts'
import { shownRecord } from './own-record.ts'

type Existing = Erased & FaceChecked & { readonly status: string }
type EndingTypes = KindTypes & { readonly reply: Existing; readonly views: { readonly record: Existing } }

/** The references of a kind whose rules know the command. */
type Knows<Of extends KindTypes, Command> = References<Of> &
  ([Command] extends [Of['command']] ? unknown : never)

type Ending<Of extends EndingTypes, Command, Record extends TSchema> = {
  /** The path of the list; a record has its id behind it. */
  readonly path: string
  readonly tag: Tag
  /** The last word of the operations' names. */
  readonly name: string
  readonly noun: string
  readonly references: Knows<Of, Command>
  readonly record: Record
  readonly view: (id: string, record: Of['reply']) => Static<Record>
}

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'vault' | 'forgotten'>

export type ToErase = { readonly tenant: string; readonly id: string; readonly by: Eraser }

/** As the log of erasures names the caller. An operator is one who acts for the organisation, or this machine's own. */
const eraserOf = (caller: Callers['api_key' | 'member']): Eraser => {
  if (caller.kind === 'api_key') return 'api_key'
  return caller.isActing === true || caller.isLocal === true ? 'operator' : 'tenant_member'
}

/**
 * The record without its personal data, answered when its key is gone and this node shows nothing of it any more.
 * Where that takes too long the answer is `unavailable`; the record is erased all the same, and the rest is still done.
 */
export const eraseRecord = async <Of extends EndingTypes>(
  { actors, runtime, vault, forgotten }: Ports,
  references: Knows<Of, EraseCommand>,
  noun: string,
  { tenant, id, by }: ToErase,
): Promise<Of['reply'] | Refused> => {
  const ref = references.find(id)
  if (ref === null) return refuse('not_found', `There is no ${noun} with this id.`)
  const command: EraseCommand = { type: 'EraseRecord', atMs: Math.floor(runtime.now()), tenant, by }
  const options = { commandId: `erase:${runtime.newId()}`, tenant }
  const asked = await actors.ask<Of>(ref, command, options)
  const isRunning = isRefused(asked) && asked.refused === 'exchange_running'
  const erased = isRunning ? ((await withItsConnection({ actors, runtime }, ref, tenant)) ?? asked) : asked
  if (isRefused(erased)) return erased
  // The image of its check has a key of its own, and the end of the check may still be owed: for days, where the
  // organisation is to be deleted.
  if (erased.faceCheck !== undefined) await vault.erase(erased.faceCheck.id)
  await forgotten(ref)
  return erased
}

/**
 * After the erasure of a connection each exchange on it waits for its turn. One that still runs then has no key to write
 * down its end with, so its turn comes now; null where its connection was not erased.
 */
const withItsConnection = async <Of extends EndingTypes>(
  { actors, runtime }: Pick<Ports, 'actors' | 'runtime'>,
  ref: Ref<Of>,
  tenant: string,
): Promise<Of['reply'] | null> => {
  const record: (Existing & { readonly connectionId?: string }) | Refused = await actors.read<Of>(ref)
  if (isRefused(record) || record.tenant !== tenant || record.connectionId === undefined) return null
  const { connectionId } = record
  const command = await erasureWithConnection({ actors, runtime }, { tenant, connectionId })
  if (command === null) return null
  const erased = await actors.ask<Of>(ref, command, { commandId: `erase-with-connection:${ref}`, tenant })
  return isRefused(erased) ? null : erased
}

const erasing = ['not_found', 'exchange_running'] as const

const OF_EXCHANGE =
  'At once and for ever, for this service; what the holder has stays with the holder. The record stays, with `erasedAt` and its personal fields null, and so does its entry in `GET /v1/erasures`. What is still running is 409: cancel it first, or wait for its end. Erasing it again changes nothing.'

type Erasing<Of extends EndingTypes> = {
  /** In place of the words for an exchange. */
  readonly description?: string
  readonly errors?: readonly (typeof erasing)[number][]
  /** Where more belongs to it than the command. */
  readonly erase?: (asked: ToErase) => Promise<Of['reply'] | Refused>
}

export const eraseRoute = <Of extends EndingTypes, Record extends TSchema>(
  ports: Ports,
  { path, tag, name, noun, references, view, ...ending }: Ending<Of, EraseCommand, Record> & Erasing<Of>,
): Route => {
  const record: TSchema = ending.record
  const { errors = erasing, description = OF_EXCHANGE } = ending
  const { erase = (asked) => eraseRecord(ports, references, noun, asked) } = ending
  return defineRoute({
    method: 'POST',
    path: `${path}/{id}/erase` as const,
    operationId: `erase${name}`,
    summary: `Erases the personal data of a ${noun}`,
    description,
    tag,
    access: { callers: TENANT_CALLERS },
    responses: { 200: record },
    errors,
    idempotency: {
      // A text in the path that is no id may be anything, and must not be kept with the key.
      newRecordId: ({ params: { id = '' } }) => references.find(id) ?? newRef(references, ports.runtime),
      showRecord: shownRecord(ports, references, view) as never,
    },
    handle: async ({ caller, params: { id } }) => {
      const asked = { tenant: caller.tenantId, id, by: eraserOf(caller) }
      const erased = await erase(asked)
      return isRefused(erased) ? refusal(errors, erased) : reply(200, view(id, erased))
    },
  })
}

const cancelling = ['not_found', 'exchange_over'] as const

export const cancelRoute = <Of extends EndingTypes, Record extends TSchema>(
  ports: Ports,
  { path, tag, name, noun, references, view, ...ending }: Ending<Of, CancelCommand | EraseCommand, Record>,
): Route => {
  const record: TSchema = ending.record
  const shown = shownRecord(ports, references, (id, now) =>
    now.status === 'abandoned' ? view(id, now) : null,
  )
  return defineRoute({
    method: 'POST',
    path: `${path}/{id}/cancel` as const,
    operationId: `cancel${name}`,
    summary: `Ends a ${noun} that is still running`,
    description:
      'It is `abandoned` from here on, and the wallet hears so by a problem report. What is over already is 409.',
    tag,
    access: { callers: TENANT_CALLERS },
    responses: { 200: record },
    errors: cancelling,
    idempotency: {
      newRecordId: () => ports.runtime.newId(),
      // An attempt whose answer was lost has ended the exchange, and must not be refused because of that.
      showRecord: (tenant, _, { params: { id = '' } }) => shown(tenant, id),
    },
    handle: async ({ caller: { tenantId: tenant }, params: { id }, recordId }) => {
      const ref = references.find(id)
      if (ref === null) return refusal(cancelling, refuse('not_found', `There is no ${noun} with this id.`))
      const command: CancelCommand = { type: 'CancelExchange', atMs: Math.floor(ports.runtime.now()), tenant }
      const options = { commandId: `cancel:${recordId}`, tenant }
      const cancelled = await ports.actors.ask<Of>(ref, command, options).catch(async (error: unknown) => {
        const erased = await withItsConnection(ports, ref, tenant)
        if (erased === null) throw error
        return erased
      })
      return isRefused(cancelled) ? refusal(cancelling, cancelled) : reply(200, view(id, cancelled))
    },
  })
}
