import { randomInt } from 'node:crypto'

/**
 * Set of the addresses seen in a file, ignoring case: 8 bytes each, where a Set of a million strings takes 100 MB.
 * Stores 64-bit hashes with a random seed: for ten million addresses the probability of a collision is one in 10^8, and
 * nobody can construct one.
 */
export class AddressSet {
  #slots = new Uint32Array(2 * 65_536)
  #mask = 65_535
  #size = 0
  readonly #seed = randomInt(2 ** 32)

  /** Returns true when the address was not in the set. */
  add(address: string): boolean {
    if (this.#size * 3 > this.#mask * 2) this.#grow()
    let low = this.#seed
    let high = ~this.#seed
    for (let index = 0; index < address.length; index++) {
      let code = address.charCodeAt(index)
      if (code >= 0x41 && code <= 0x5a) code |= 0x20
      low = Math.imul(low ^ code, 0x01000193)
      high = Math.imul(high ^ code, 0x85ebca6b)
      high = (high << 13) | (high >>> 19)
    }
    low = mix(low ^ (high >>> 15))
    high = mix(high ^ low)
    // 0 marks a free slot.
    return this.#insert(low >>> 0 || 1, high >>> 0)
  }

  #insert(low: number, high: number): boolean {
    for (let slot = high & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const known = this.#slots[2 * slot]
      if (known === 0) {
        this.#slots[2 * slot] = low
        this.#slots[2 * slot + 1] = high
        this.#size++
        return true
      }
      if (known === low && this.#slots[2 * slot + 1] === high) return false
    }
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Uint32Array(old.length * 2)
    this.#mask = this.#mask * 2 + 1
    this.#size = 0
    for (let at = 0; at < old.length; at += 2) {
      const low = old[at] ?? 0
      if (low !== 0) this.#insert(low, old[at + 1] ?? 0)
    }
  }
}

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return mixed ^ (mixed >>> 16)
}
