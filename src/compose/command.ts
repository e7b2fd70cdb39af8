import { type Static, type TObject, Type } from 'typebox'
import { type Refused, refuse } from '../domain/refused.ts'
import { compileSchema } from '../http/route/validation.ts'

/** What the operator can order of the running service; the command line says it by its name. */
export type Command = { readonly run: (input: unknown) => Promise<object | Refused> }
export type Commands = Readonly<Record<string, Command>>

/** A name, an id or an address in an order. */
export const text = Type.String({ minLength: 1, maxLength: 300 })

/** Input that is not of the schema is refused with what is wrong with it. */
export const command = <Input extends TObject>(
  schema: Input,
  run: (input: Static<Input>) => Promise<object | Refused>,
): Command => {
  const check = compileSchema(schema, 'the command')
  return {
    run: (input) => {
      const reason = check(input)
      return reason === null
        ? run(input as Static<Input>)
        : Promise.resolve(refuse('invalid_request', `${reason}.`))
    },
  }
}
