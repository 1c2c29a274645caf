import { listTrackingHosts } from '@emma/core/deliverability/mail-hosts.ts'
import type { Db } from '@emma/db/connection.ts'
import type { ResolveOrigin } from '@emma/testbed/visit.ts'
import type { Config } from '../config.ts'
import { localOrigin } from '../network/plain-http.ts'

/**
 * Limits the testbed's simulated readers to this installation's tracking server, whatever a message links to: the
 * configured tracking URL and the tracking hosts of the domains, all served by the tracking role here.
 */
export function trackingOrigin(
  config: Pick<Config, 'trackingUrl' | 'trackingPort' | 'host'>,
  db: Db,
): ResolveOrigin {
  const own = new URL(config.trackingUrl)
  const here = localOrigin(config.host, config.trackingPort)
  let hosts: { until: number; names: Promise<Set<string>> } | null = null

  return async url => {
    if (url.origin === own.origin) return here
    if (!hosts || hosts.until < Date.now()) hosts = { until: Date.now() + KEEP, names: readHosts(db) }
    return (await hosts.names).has(url.hostname) ? here : null
  }
}

/** Milliseconds until a new tracking host is visited. */
const KEEP = 10_000

async function readHosts(db: Db): Promise<Set<string>> {
  try {
    return new Set(await listTrackingHosts(db))
  } catch {
    // The database is unavailable: no visits until it is back.
    return new Set()
  }
}
