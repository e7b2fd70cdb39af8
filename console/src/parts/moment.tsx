import { exactTime, shortTime } from '../texts/texts.ts'

/** A time as short as it can be said; the whole of it is its title. */
export const Moment = ({ at }: { readonly at: string | null }) =>
  at === null ? (
    <span class="quiet">–</span>
  ) : (
    <time dateTime={at} title={exactTime(at)}>
      {shortTime(at)}
    </time>
  )
