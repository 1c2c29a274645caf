import type { TestbedMail } from '../testbed/testbed-mail.ts'

type Event = TestbedMail['events'][number]

/** Consecutive events of one type and agent. */
export interface EventGroup {
  kind: string
  agent: string
  /** Time of the first event, ISO 8601. */
  at: string
  events: [Event, ...Event[]]
}

/** Maximum distance in ms between events of a group: a scanner follows dozens of links within seconds. */
const nearness = 60_000

/** Groups consecutive events of the same type and agent, keeping the order. */
export function groupEvents(events: readonly Event[]): EventGroup[] {
  const happenings: EventGroup[] = []
  for (const event of events) {
    const last = happenings.at(-1)
    const previous = last?.events.at(-1)
    if (
      last &&
      previous &&
      last.kind === event.kind &&
      last.agent === event.agent &&
      isNear(previous, event)
    ) {
      last.events.push(event)
    } else {
      happenings.push({ kind: event.kind, agent: event.agent, at: event.at, events: [event] })
    }
  }
  return happenings
}

function isNear(one: Event, next: Event): boolean {
  return Date.parse(next.at) - Date.parse(one.at) <= nearness
}
