import type { KeyOfRefusals, KindTypes } from './decider.ts'

/** What JSON gives back exactly as it was. A number that is none (`NaN`) and a negative zero are nowhere. */
type Plain = string | number | boolean | null

/** Deeper than any command or record; a type that refers to itself ends here. */
type Deeper = readonly [never, 0, 1, 2, 3, 4, 5, 6, 7, 8]
type Depth = Deeper[number] | 9

/**
 * Where a value has something that JSON loses or alters: `undefined`, a date, bytes, a map, a function. `never` where it
 * has nothing of that kind. `unknown` counts as JSON: it stands where a field is JSON of somebody else's making.
 */
type LostIn<Value, Path extends string, Left extends Depth = 9> = [Left] extends [0]
  ? never
  : unknown extends Value
    ? never
    : Value extends Plain
      ? never
      : Value extends (...given: never[]) => unknown
        ? Path
        : Value extends readonly (infer Item)[]
          ? LostIn<Item, `${Path}[]`, Deeper[Left] & Depth>
          : Value extends object
            ? {
                [Key in keyof Required<Value>]: Key extends string
                  ? LostIn<Required<Value>[Key], `${Path}.${Key}`, Deeper[Left] & Depth>
                  : Key extends number
                    ? LostIn<Required<Value>[Key], `${Path}.#`, Deeper[Left] & Depth>
                    : Key extends KeyOfRefusals
                      ? never
                      : Path
              }[keyof Required<Value>]
            : Path

type LostOf<Of extends KindTypes> =
  | LostIn<Of['command'], 'command'>
  | LostIn<Of['reply'], 'reply'>
  | { [Name in keyof Of['views'] & string]: LostIn<Of['views'][Name], Name> }[keyof Of['views'] & string]

/** Where something that is no refusal has the field by which refusals are known. */
type TakenForRefusal<Value, Path extends string> = Value extends unknown
  ? string extends keyof Value
    ? never
    : 'refused' extends keyof Value
      ? KeyOfRefusals extends keyof Value
        ? never
        : `${Path}.refused`
      : never
  : never

type MistakenOf<Of extends KindTypes> =
  | TakenForRefusal<Of['event'], 'event'>
  | TakenForRefusal<Of['reply'], 'reply'>
  | { [Name in keyof Of['views'] & string]: TakenForRefusal<Of['views'][Name], Name> }[keyof Of['views'] &
      string]

/**
 * Commands, replies and views go to other nodes as JSON, and refusals likewise in their place. Demands nothing of a kind
 * with which that can be done; any other does not compile, and the error names the field.
 */
export type Crossing<Of extends KindTypes> = [LostOf<Of>] extends [never]
  ? [MistakenOf<Of>] extends [never]
    ? unknown
    : { readonly looksRefused: MistakenOf<Of> }
  : { readonly doesNotCross: LostOf<Of> }
