// Written as bundlers look for them, so that they put what they know in their place: `__DEV__` by React Native, and
// `process.env.NODE_ENV` by the others, which leave nothing else of `process`.
declare const __DEV__: boolean | undefined
declare const process: { readonly env: { readonly NODE_ENV?: string } }

const isRelease = (): boolean => {
  if (typeof __DEV__ !== 'undefined' && !__DEV__) return true
  try {
    return process.env.NODE_ENV === 'production'
  } catch {
    return false
  }
}

export const refuseInRelease = (): void => {
  if (isRelease())
    throw new Error(
      'A release build cannot use the development entry of the SDK: import it without /development.',
    )
}
