import { Table } from '../parts/table.tsx'
import { Notice } from '../parts/notice.tsx'
import { counted, exactTime, fill, numberText, texts } from '../texts/texts.ts'
import { EXPIRES_AT } from '../setup/value-kinds.ts'
import type { LineFault, OfferLine, ReadLines } from './offer-lines.ts'

type LinesPreviewProps = { readonly read: ReadLines; readonly names: readonly string[] }

const said = texts.many
const FAULTS_SHOWN = 100
const OFFERS_SHOWN = 5

/** What would be offered, and which lines would not, before anything is sent. */
export const LinesPreview = ({ read: { offers, faults, ignored }, names }: LinesPreviewProps) => (
  <>
    <p role="status">
      <strong>{counted(said.good, offers.length)}</strong>{' '}
      {faults.length > 0 && counted(said.bad, faults.length)}
    </p>
    {ignored.length > 0 && <p class="quiet small">{fill(said.ignored, { names: ignored.join(', ') })}</p>}
    {faults.length > 0 && <Faults faults={faults} hasOffers={offers.length > 0} />}
    {offers.length > 0 && <First offers={offers} names={names} />}
  </>
)

const Faults = ({ faults, hasOffers }: { faults: readonly LineFault[]; hasOffers: boolean }) => (
  <Notice tone="warn" title={said.faultsTitle}>
    <ul class="stack tight faults">
      {faults.slice(0, FAULTS_SHOWN).map(({ line, text }) => (
        <li key={line}>{fill(said.fault, { line: numberText(line), text })}</li>
      ))}
    </ul>
    {faults.length > FAULTS_SHOWN && <p>{counted(said.more, faults.length - FAULTS_SHOWN)}</p>}
    {hasOffers && <p>{said.leftOut}</p>}
  </Notice>
)

const First = ({ offers, names }: { offers: readonly OfferLine[]; names: readonly string[] }) => (
  <div class="stack tight">
    <h3>{said.first}</h3>
    <Table
      label={said.first}
      items={offers.slice(0, OFFERS_SHOWN)}
      keyOf={({ line }) => String(line)}
      columns={[
        { title: said.line, cell: ({ line }) => numberText(line), look: 'tight' },
        { title: texts.records.connection, cell: ({ offer }) => <code>{offer.connectionId}</code> },
        ...names.map((name) => ({
          title: name,
          cell: ({ offer }: OfferLine) => offer.attributes[name],
        })),
        {
          title: texts.offer.lastDay,
          cell: ({ offer }) =>
            exactTime(new Date(Number(offer.attributes[EXPIRES_AT]) * 1_000).toISOString()),
          look: 'tight' as const,
        },
      ]}
    />
  </div>
)
