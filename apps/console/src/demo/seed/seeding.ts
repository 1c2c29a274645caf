import { demoClientId } from '@emma/contract/session.ts'
import type { Random } from './random.ts'
import type { DemoTexts } from './demo-texts.ts'

/** The person in front of the screen. */
export interface DemoPerson {
  id: number
  username: string
  firstname: string
  lastname: string
  email: string
}

/** What the examples are made from. */
export interface Seeding {
  texts: DemoTexts
  random: Random
  now: Date
  person: DemoPerson
}

/** Where the keys of a demo begin: far from those of real records. */
export const firstKey = 9001

/** What every record carries beside its own fields. */
export function common(at: Date, personId: number | null = null) {
  const instant = at.toISOString()
  return {
    client_id: demoClientId,
    created_at: instant,
    updated_at: instant,
    created_by: personId,
    updated_by: personId,
    revision: 1,
  }
}
