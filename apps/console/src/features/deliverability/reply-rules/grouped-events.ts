import type { TestbedMail } from '../testbed/testbed-mail.ts'

type Event = TestbedMail['events'][number]

/** What one agent did at one go. */
export interface EventGroup {
  kind: string
  agent: string
  /** Of the first event, ISO 8601. */
  at: string
  events: [Event, ...Event[]]
}

/** Events of one go are this near to each other, in ms: a scanner follows dozens of links within seconds. */
const nearness = 60_000

/** The events in their order, those of the same kind and agent that follow each other at once as one. */
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
