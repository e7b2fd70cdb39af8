import type { Endorsement } from '../api/generated/operations.ts'
import { Facts } from '../parts/facts.tsx'
import { Notice } from '../parts/notice.tsx'
import { fill, texts } from '../texts/texts.ts'

const said = texts.endorsements

/** In the list: what it is called, and what it consists of. */
export const EndorsedContent = ({ recordType, recordId, content }: Endorsement) => (
  <>
    <span class="quiet small">{said.recordTypes[recordType]}</span>
    {content === null ? <div>{said.gone}</div> : <div>{nameOf(content)}</div>}
    {content !== null && <Names names={content.attributes} />}
    <div class="quiet small">
      <code>{recordId}</code>
    </div>
  </>
)

/** Where somebody decides: all of what everybody will read on the ledger. */
export const EndorsedFacts = ({
  of,
  organisation,
}: {
  readonly of: Endorsement
  readonly organisation: string
}) => {
  const { recordType, recordId, content } = of
  const known = content ?? { schemaName: null, schemaVersion: null, attributes: null, tag: null }
  return (
    <>
      {content === null && (
        <Notice tone="warn">
          <p>{said.gone}</p>
        </Notice>
      )}
      <Facts
        facts={[
          { name: texts.organisations.organisation, value: organisation },
          { name: said.record, value: said.recordTypes[recordType] },
          { name: recordType === 'schema' ? texts.schema.name : said.schemaName, value: known.schemaName },
          { name: texts.schema.version, value: known.schemaVersion },
          { name: texts.definition.tag, value: known.tag },
          { name: texts.schema.attributes, value: known.attributes && <Names names={known.attributes} /> },
          { name: texts.records.id, value: <code>{recordId}</code> },
        ]}
      />
    </>
  )
}

const nameOf = ({ schemaName: name, schemaVersion: version, tag }: NonNullable<Endorsement['content']>) =>
  tag === null ? `${name} ${version}` : fill(texts.definitions.name, { name, version, tag })

/** Each in a box of its own: an attribute may have any characters, and none is to look like two. */
const Names = ({ names }: { readonly names: readonly string[] }) => (
  <ul class="names-list">
    {names.map((name) => (
      <li key={name}>
        <code>{name}</code>
      </li>
    ))}
  </ul>
)
