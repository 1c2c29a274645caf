import { array, assert, integer, nat, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Demand, divideSlots } from './divide-slots.ts'

const demand = (clientId: number, campaignId: number, room: number): Demand => ({
  clientId,
  campaignId,
  room,
})

describe('divideSlots', () => {
  it('gives tenants equal shares, however many campaigns they run', () => {
    const demands = [demand(1, 1, 100), demand(1, 2, 100), demand(1, 3, 100), demand(2, 4, 100)]
    expect(divideSlots(60, demands)).toEqual([10, 10, 10, 30])
  })

  it('redistributes what a tenant or a campaign cannot use', () => {
    expect(divideSlots(60, [demand(1, 1, 5), demand(1, 2, 100), demand(2, 3, 4)])).toEqual([5, 51, 4])
  })

  it("never exceeds a tenant's maximum", () => {
    const demands = [demand(1, 1, 100), demand(1, 2, 100), demand(2, 3, 100)]
    expect(divideSlots(100, demands, clientId => (clientId === 1 ? 10 : 100))).toEqual([5, 5, 90])
  })

  it('never exceeds the total or the room, and leaves nothing that could be used', () => {
    const demands = array(record({ clientId: nat(3), campaignId: nat(), room: nat(50) }), {
      maxLength: 12,
    })
    assert(
      property(integer({ min: -5, max: 200 }), demands, (free, given) => {
        const slots = divideSlots(free, given)
        const wanted = given.reduce((sum, one) => sum + one.room, 0)
        expect(slots.reduce((sum, slot) => sum + slot, 0)).toBe(Math.max(0, Math.min(free, wanted)))
        expect(slots.every((slot, index) => slot >= 0 && slot <= (given[index]?.room ?? 0))).toBe(true)
      }),
    )
  })
})
