import { demoClientId } from '@emma/contract/session.ts'
import type { Random } from './random.ts'
import type { DemoTexts } from './demo-texts.ts'

/** The logged-in user. */
export interface DemoPerson {
  id: number
  username: string
  firstname: string
  lastname: string
  email: string
}

/** Input of the seed functions. */
export interface Seeding {
  texts: DemoTexts
  random: Random
  now: Date
  person: DemoPerson
}

/** First id of demo records, far above those of real ones. */
export const firstKey = 9001

/** Fields that every record has. */
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
