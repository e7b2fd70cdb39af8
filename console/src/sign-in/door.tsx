import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Brand } from '../parts/brand.tsx'
import { texts } from '../texts/texts.ts'

type DoorProps = { readonly title: string; readonly above?: string; readonly children: ComponentChildren }

/** A page for somebody who is not in yet. */
export const Door = ({ title, above, children }: DoorProps) => {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`
  }, [title])
  return (
    <div class="door">
      <header>
        <Brand />
      </header>
      <main>
        <div class="card">
          <div>
            {above && <p class="steps">{above}</p>}
            <h1>{title}</h1>
          </div>
          {children}
        </div>
      </main>
    </div>
  )
}
