/** What can stand in a list, and in one list at a time. */
export type Linked<Item> = { previous: Item | null; next: Item | null }

/** Items in order, linked through themselves: standing in a list costs no memory, and leaving it takes no search. */
export class LinkedList<Item extends Linked<Item>> {
  #first: Item | null = null
  #last: Item | null = null

  get first(): Item | null {
    return this.#first
  }

  get last(): Item | null {
    return this.#last
  }

  push(item: Item): void {
    item.previous = this.#last
    if (this.#last === null) this.#first = item
    else this.#last.next = item
    this.#last = item
  }

  unshift(item: Item): void {
    item.next = this.#first
    if (this.#first === null) this.#last = item
    else this.#first.previous = item
    this.#first = item
  }

  shift(): Item | null {
    const first = this.#first
    if (first !== null) this.remove(first)
    return first
  }

  remove(item: Item): void {
    if (item.previous === null) this.#first = item.next
    else item.previous.next = item.next
    if (item.next === null) this.#last = item.previous
    else item.next.previous = item.previous
    item.previous = null
    item.next = null
  }
}
