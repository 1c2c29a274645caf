import { setTimeout as sleep } from 'node:timers/promises'
import { claimMessages, recordMessage } from '@emma/core/deliverability/alerts/alert-outbox.ts'
import { claimAlerts } from '@emma/core/deliverability/alerts/claim-alerts.ts'
import { readMetric } from '@emma/core/deliverability/alerts/read-metric.ts'
import { recordReading } from '@emma/core/deliverability/alerts/record-reading.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import { sendAlertMessage } from '../mail/send-alert-message.ts'

/** Milliseconds between looks for due alerts and messages. */
const PAUSE_MS = 5_000

/** Alerts of one look, and messages that are sent at the same time. */
const ALERTS = 20
const MESSAGES = 10

interface Alerts {
  db: Db
  config: Config
  logger: Logger
}

/** Reads the figures of alerts, and sends their messages. Several machines may do so. */
export function startAlerts({ db, config, logger }: Alerts): { stop(): Promise<void> } {
  const stopped = new AbortController()
  /** Figures take at most a tenth of the time: they read ledgers. */
  const repeat = async (what: string, run: () => Promise<unknown>): Promise<void> => {
    while (!stopped.signal.aborted) {
      const started = Date.now()
      await run().catch((error: unknown) => logger.error({ err: error }, what))
      const pause = Math.max(PAUSE_MS, 10 * (Date.now() - started))
      await sleep(pause, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }
  const loops = [
    repeat('Alerts could not be read', () => readAlerts(db, logger)),
    repeat('Messages of alerts could not be sent', () => sendMessages({ db, config, logger })),
  ]
  return {
    async stop() {
      stopped.abort()
      await Promise.all(loops)
    },
  }
}

/** An alert whose figure cannot be read does not hold up the others. */
export async function readAlerts(db: Db, logger: Logger): Promise<void> {
  for (const alert of await claimAlerts(db, ALERTS))
    try {
      await recordReading(db, alert, await readMetric(db, alert))
    } catch (error) {
      logger.error({ clientId: alert.clientId, alertId: alert.id, err: error }, 'An alert could not be read')
    }
}

export async function sendMessages({ db, config, logger }: Alerts): Promise<void> {
  const messages = await claimMessages(db, MESSAGES)
  await Promise.all(
    messages.map(async message => {
      const outcome = await sendAlertMessage({ db, config }, message)
      if (outcome.state === 'failed')
        logger.warn({ alertId: message.alertId, error: outcome.error }, 'A message of an alert was not sent')
      await recordMessage(db, message, outcome)
    }),
  )
}
