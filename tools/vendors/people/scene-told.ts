import { isJson } from '../wire/json.ts'
import type { Scene } from './camera.ts'

/** Whether a device has told what is in front of its camera, in place of showing it. */
export const isScene = (value: unknown): value is Scene =>
  isJson(value) &&
  Array.isArray(value['people']) &&
  value['people'].every((person) => typeof person === 'string') &&
  ['live', 'spoof', 'uncertain'].includes(String(value['sort']))
