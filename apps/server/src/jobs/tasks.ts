import type { TaskList } from 'graphile-worker'
import type { RoleContext } from '../role.ts'
import { countDatasources, keepHouse } from './keep-house.ts'

/** Every kind of work in the background, by the name it is queued under. */
export function tasks({ sql }: RoleContext): TaskList {
  return {
    count_datasources: () => countDatasources(sql),
    keep_house: () => keepHouse(sql),
  }
}

/** When the regular ones run: minute, hour, day, month, weekday; UTC. */
export const timetable = `
* * * * * count_datasources ?max=1
7 * * * * keep_house ?max=2
`
