import type { CampaignKey } from '../model/campaign-key.ts'

/** A campaign with due rows, and the number it can take now. */
export interface Demand extends CampaignKey {
  room: number
}

/**
 * Divides free slots: equal shares for tenants, and within a tenant for its campaigns; unused shares go to the
 * others. The order of the demands decides about remainders.
 * @param mostOf maximum per tenant
 * @returns slots per demand, in the same order; together at most `free`, none above its room
 */
export function divideSlots(
  free: number,
  demands: readonly Demand[],
  mostOf: (clientId: number) => number = () => free,
): number[] {
  const tenants = Map.groupBy(demands.keys(), index => demands[index]?.clientId ?? 0)
  const roomOf = (index: number) => demands[index]?.room ?? 0
  const groups = [...tenants].map(([clientId, members]) => ({
    members,
    room: Math.min(
      mostOf(clientId),
      members.reduce((sum, index) => sum + roomOf(index), 0),
    ),
  }))
  const shares = fillEvenly(
    free,
    groups.map(group => group.room),
  )
  const slots = demands.map(() => 0)
  for (const [position, { members }] of groups.entries()) {
    const parts = fillEvenly(shares[position] ?? 0, members.map(roomOf))
    for (const [place, index] of members.entries()) slots[index] = parts[place] ?? 0
  }
  return slots
}

/** Fills the rooms evenly up to `amount`; remainders go one each, in order. */
function fillEvenly(amount: number, rooms: readonly number[]): number[] {
  const filled = rooms.map(() => 0)
  let left = amount
  let open = rooms.flatMap((room, index) => (room > 0 ? [index] : []))
  while (left > 0 && open.length > 0) {
    const part = Math.max(1, Math.floor(left / open.length))
    for (const index of open) {
      const more = Math.min(part, (rooms[index] ?? 0) - (filled[index] ?? 0), left)
      filled[index] = (filled[index] ?? 0) + more
      left -= more
    }
    open = open.filter(index => (filled[index] ?? 0) < (rooms[index] ?? 0))
  }
  return filled
}
