/** The outcome of the work, or a rejection with the error of `late` when the work takes longer than `limitMs`. */
export const within = async <Value>(
  limitMs: number,
  work: Promise<Value>,
  late: () => Error,
): Promise<Value> => {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => limit.reject(late()), limitMs)
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}
