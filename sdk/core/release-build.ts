type Build = {
  readonly __DEV__?: boolean
  readonly process?: { readonly env?: Record<string, string | undefined> }
}

/** React Native says `__DEV__`, bundlers and Node say NODE_ENV. */
const isRelease = ({ __DEV__, process }: Build): boolean =>
  __DEV__ === false || process?.env?.['NODE_ENV'] === 'production'

export const refuseInRelease = (): void => {
  if (isRelease(globalThis))
    throw new Error(
      'A release build cannot use the development entry of the SDK: import it without /development.',
    )
}
