import { orders } from '../../src/cli/orders.ts'
import { type Answer, type Call, callService } from '../../src/cli/service-call.ts'

/** Gives an order of the command line by its name. */
export type GiveOrder = (name: string, input: object) => Promise<Answer>

const byName = new Map<string, (call: Call, input: never) => Promise<Answer>>(Object.entries(orders))

export const ordersBy =
  (call: Call): GiveOrder =>
  async (name, input) => {
    const order = byName.get(name)
    if (order === undefined) throw new Error(`there is no order ${name}`)
    return order(call, input as never)
  }

/** Orders to the service that runs on this data folder. */
export const ordersTo = (dataFolder: string): GiveOrder => ordersBy(callService(dataFolder))
