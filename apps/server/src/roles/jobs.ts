import { Logger, run } from 'graphile-worker'
import { tasks, timetable } from '../jobs/tasks.ts'
import type { RoleContext, RunningRole } from '../role.ts'

/** Work in the background: queued in the database, taken by whichever machine is free. */
export async function start(context: RoleContext): Promise<RunningRole> {
  const { logger, pool } = context
  const runner = await run({
    pgPool: pool,
    concurrency: 3,
    noHandleSignals: true,
    taskList: tasks(context),
    crontab: timetable,
    logger: new Logger(() => (level, message, meta) => {
      if (level === 'error' || level === 'warning') logger.warn({ ...meta }, message)
      else logger.debug({ ...meta }, message)
    }),
  })
  return { stop: () => runner.stop() }
}
