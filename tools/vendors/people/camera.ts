import { HOLDER } from './faces.ts'

/** What is in front of the camera while a wallet captures. */
export type Scene = {
  /** The nearest first; nobody at all is possible. */
  readonly people: readonly string[]
  /** A person, a picture or mask of one, or something of which the vendor is not sure. */
  readonly sort: 'live' | 'spoof' | 'uncertain'
  /** 0–100, instead of the usual score of such a scene. */
  readonly livenessScore?: number
  /** 0–100: how alike the person is to pictures of the same person, instead of the usual score. */
  readonly matchScore?: number
  /** The person goes away in the middle, and the vendor comes to no result. */
  readonly isBroken?: boolean
  /** The vendor comes to a result and keeps no picture fit for a comparison. */
  readonly isUnsharp?: boolean
}

export const scenes = {
  holder: { people: [HOLDER], sort: 'live' },
  stranger: { people: ['stranger'], sort: 'live' },
  spoof: { people: [HOLDER], sort: 'spoof' },
  uncertain: { people: [HOLDER], sort: 'uncertain' },
  nobody: { people: [], sort: 'live' },
  two: { people: [HOLDER, 'stranger'], sort: 'live' },
  goesAway: { people: [HOLDER], sort: 'live', isBroken: true },
} as const satisfies Readonly<Record<string, Scene>>

/** Who stands there next: what was set up first, then the usual. */
export class Camera {
  #usual: Scene = scenes.holder
  readonly #next: Scene[] = []

  /** From now on, where nothing else is set up. */
  show(scene: Scene): void {
    this.#usual = scene
  }

  /** The next captures, one after the other. */
  setUp(next: readonly Scene[]): void {
    this.#next.push(...next)
  }

  take(): Scene {
    return this.#next.shift() ?? this.#usual
  }
}
