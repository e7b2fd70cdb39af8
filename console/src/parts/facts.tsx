import type { ComponentChildren } from 'preact'

type Fact = { readonly name: string; readonly value: ComponentChildren }

/** What is known of a record, a line each; what is not known is left out. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts
      .filter(({ value }) => value !== null && value !== undefined && value !== '')
      .flatMap(({ name, value }) => [<dt key={name}>{name}</dt>, <dd key={`${name}-is`}>{value}</dd>])}
  </dl>
)
