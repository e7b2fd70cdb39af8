import { hash } from 'node:crypto'
import { answerTo, type Message } from '../../didcomm/message.ts'

/** Nothing was done, because the phone says too much at once. */
export const TOO_FAST = 'too-fast'

/** What a protocol of the mediator makes of one message: those that go back. Null where it does not speak it. */
export type Answers = readonly string[] | typeof TOO_FAST | null

export const NO_ANSWER: readonly string[] = []

/** A report in the protocol that is for messages of any other one; it names the message that it is about. */
export const problemWith = (message: Message, code: string, en: string): string =>
  answerTo(
    message,
    'problem-report',
    { '~thread': { thid: message.threadId, pthid: message.id }, description: { code, en } },
    'notification/1.0',
  )

const MARK_CHARACTERS = 8

/** Stands for a message where it is remembered that it has come. Whoever makes two ids of one mark is who wrote both. */
export const markOf = ({ id }: Pick<Message, 'id'>): string =>
  hash('sha256', id, 'base64url').slice(0, MARK_CHARACTERS)

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
