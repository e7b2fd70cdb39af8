import { administrator, apiOnMemory } from './api-on-memory.ts'
import { furnished } from './service-on-memory.ts'

/** The API with one organisation that has all it needs, a key of it and its administrator. */
export const furnishedApi = async (rates: Parameters<typeof apiOnMemory> = []) => {
  const api = await apiOnMemory(...rates)
  const at = await furnished(api.service)
  return { api, at, key: await api.keyOf(at.tenant), admin: administrator(at.tenant) }
}
