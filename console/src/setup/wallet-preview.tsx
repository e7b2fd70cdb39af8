import { fill, texts } from '../texts/texts.ts'
import type { DraftPredicate, TemplateDraft } from './template-draft.ts'

const said = texts.template

/** What the holder is asked, in the order and with the names in which a wallet gets it. */
export const WalletPreview = ({
  draft,
  organisation,
}: {
  readonly draft: Pick<TemplateDraft, 'name' | 'groups' | 'biometricRequired'>
  readonly organisation: string
}) => (
  <aside class="card stack" aria-label={said.preview}>
    <h2>{said.preview}</h2>
    <p class="quiet small">{said.previewHint}</p>
    <div class="phone stack">
      <p>
        <strong>{organisation}</strong>
        <br />
        <span class="quiet small">{draft.name === '' ? said.noName : draft.name}</span>
      </p>
      {draft.groups.map((group, index) => (
        <ul key={index} class="stack tight">
          {group.attributes.map((name) => (
            <li key={name}>{fill(said.shows, { name })}</li>
          ))}
          {group.predicates.map((predicate, at) => (
            <li key={at}>{provedText(predicate)}</li>
          ))}
          <li class="quiet small">{said.notExpired}</li>
        </ul>
      ))}
      {draft.biometricRequired && <p class="small">{said.faceFirst}</p>}
    </div>
  </aside>
)

export const provedText = ({ attribute, operator, form, value }: DraftPredicate): string =>
  fill(said.proves, {
    attribute,
    operator: said.operators[operator],
    value: fill(said.valueTexts[form], { value: value === '' ? '…' : value }),
  })
