import { eraseConfirmed } from '@emma/core/audience/preferences/data-request.ts'
import { resumeUndos, resumeUploads } from '@emma/core/audience/uploads/resume-uploads.ts'
import { compileHere } from '@emma/core/content/compile-message.ts'
import { Logger as WorkerLogger, type TaskList, run } from 'graphile-worker'
import type { JobTask } from '../job-task.ts'
import { startAlerts } from '../jobs/alert-loop.ts'
import { cleanUploads } from '../jobs/clean-uploads.ts'
import { startPictures } from '../jobs/draw-pictures.ts'
import { importUpload, undoImport } from '../jobs/import-upload.ts'
import { purgeFiles } from '../jobs/purge-files.ts'
import { removePictures } from '../jobs/remove-pictures.ts'
import { runMaintenance } from '../jobs/run-maintenance.ts'
import { recountAudience } from '../jobs/recount-audience.ts'
import { startRecurringRuns } from '../jobs/recurring-loop.ts'
import { startPlacementChecks } from '../jobs/placement-loop.ts'
import { startRecounts } from '../jobs/recount-loop.ts'
import { startSendVolume } from '../jobs/send-volume-loop.ts'
import { startWebhooks } from '../jobs/webhook-loop.ts'
import { createSender } from '../jobs/webhook-send.ts'
import { checkContext } from '../check-context.ts'
import type { Logger } from '../logger.ts'
import { singleSender } from '../mail/single-sender.ts'
import { mailboxContext } from '../mailboxes/open-mailbox.ts'
import type { RoleContext, RunningRole } from '../role.ts'

/** Schedule of recurring jobs: UTC, five cron fields. */
const crontab = `
* * * * * recount_audience ?jobKey=recount_audience&max=1
* * * * * erase_people ?jobKey=erase_people&max=1
17 3 * * * clean_uploads ?jobKey=clean_uploads&max=1
37 3 * * * purge_files ?jobKey=purge_files&max=1
*/10 * * * * remove_pictures ?jobKey=remove_pictures&max=1
7 * * * * run_maintenance ?jobKey=run_maintenance&max=1
`

/** Runs background jobs: imports, recounts, recurring campaigns, placement checks, alerts, pictures, send volume,
 * cleaning. A task is a function in jobs/, listed here. */
export async function start(context: RoleContext): Promise<RunningRole> {
  const { config, pool, db, logger } = context
  const tasks: Record<string, JobTask> = {
    import_upload: importUpload(config),
    undo_upload: undoImport,
    clean_uploads: cleanUploads(config),
    purge_files: purgeFiles(config),
    remove_pictures: removePictures(config),
    recount_audience: recountAudience,
    run_maintenance: runMaintenance,
    erase_people: (_payload, context) => eraseConfirmed(context.db),
  }
  const runner = await run({
    pgPool: pool,
    taskList: toTaskList(tasks, context),
    crontab,
    concurrency: 4,
    pollInterval: 2_000,
    noHandleSignals: true,
    logger: toWorkerLogger(logger),
  })
  const resumed = await resumeUploads(db)
  if (resumed > 0) logger.info(`Resuming ${resumed} interrupted imports`)
  const undos = await resumeUndos(db)
  if (undos > 0) logger.info(`Resuming the undo of ${undos} imports`)
  const webhooks = startWebhooks({
    db,
    key: config.deriveKey('secrets at rest'),
    sender: createSender({ allowLoopback: config.webhookLoopback }),
    logger,
  })
  const recounts = startRecounts(db, logger)
  const recurring = startRecurringRuns({ db, logger, context: checkContext(config, compileHere) })
  const placement = startPlacementChecks({
    db,
    logger,
    sender: singleSender({ config, db }),
    mailboxes: mailboxContext(config),
  })
  const alerts = startAlerts({ db, config, logger })
  const pictures = startPictures(db, config, logger)
  const sendVolume = startSendVolume(db, logger)
  return {
    async stop() {
      await Promise.all([
        webhooks.stop(),
        recounts.stop(),
        recurring.stop(),
        placement.stop(),
        alerts.stop(),
        pictures.stop(),
        sendVolume.stop(),
        runner.stop(),
      ])
    },
  }
}

function toTaskList(tasks: Record<string, JobTask>, { db, pool, logger }: RoleContext): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      async (payload, { abortSignal: signal }) => {
        try {
          await task(payload, { db, pool, logger, signal })
        } catch (error) {
          logger.error({ err: error, task: name }, 'A job failed')
          throw error
        }
      },
    ]),
  )
}

/** Passes only warnings and errors of the library's log. */
function toWorkerLogger(logger: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === 'error') logger.error(message)
    else if (level === 'warning') logger.warn(message)
    else logger.debug(message)
  })
}
