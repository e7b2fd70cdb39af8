/**
 * The address of the service as the outside sees it. Where none is set it names the public port, which the machine may
 * choose; that port opens last, when all that answers on it is there, so the address comes in by `isNow`.
 */
export const outsideAddress = (configured: string) => {
  let address = configured
  return {
    publicUrl: (): string => {
      if (address === '') throw new Error('the public port is not open yet')
      return address
    },
    isNow: (url: string): void => {
      address = url
    },
  }
}
