import { defineKind, keysAbove } from '../define-kind.ts'
import { performFaceCheckEffect } from './effects.ts'
import { faceCheckMessages } from './messages.ts'
import { dueBy, faceCheck, faceCheckDecider, type FaceCheckTypes, isCheckOver } from './rules.ts'
import type { FaceCheckEffect } from './state.ts'
import { faceCheckStored } from './stored.ts'
import { VendorDesk } from './vendor-desk.ts'

const AT_THE_VENDOR: readonly FaceCheckEffect['kind'][] = [
  'begin-session',
  'tell-session',
  'read-session',
  'end-session',
]

/** A liveness check and a face match at the organisation's own vendor, for one exchange that waits for it. */
export const faceCheckKind = defineKind<FaceCheckTypes>({
  references: faceCheck,
  decider: faceCheckDecider,
  ...faceCheckStored,
  keyParent: keysAbove,
  bodiesKept: (state) => (state.status === 'none' || state.status === 'pending' ? null : []),
  isOver: (state) => state.status !== 'none' && isCheckOver(state),
  goneAtMs: (state) => (state.status !== 'none' && isCheckOver(state) ? state.decidedAtMs : null),
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  effects: (ports) => {
    const desk = new VendorDesk(ports)
    return {
      perform: (effect, context) => performFaceCheckEffect(desk, effect, context),
      gate: ({ kind, check }) => (AT_THE_VENDOR.includes(kind) ? desk.lanes.of(check.tenant) : null),
    }
  },
  onTimer: dueBy,
  holderMessages: faceCheckMessages,
})
