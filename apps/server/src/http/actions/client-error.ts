import { errorReporting, reportClientError } from '@emma/contract/actions/client-error.ts'
import type { Http } from '../http.ts'
import { done, mountAction } from '../mount-action.ts'

/** Logs errors of the console, unless the operator uses Sentry (R021). */
export function mountClientErrorActions(http: Http): void {
  mountAction(http, errorReporting, async ({ config }) => ({ dsn: config.sentryDsn ?? null }))

  mountAction(http, reportClientError, async ({ logger, body, request }) => {
    const browser = request.headers['user-agent']?.slice(0, 300)
    logger.error({ ...body, browser }, 'an error in the console')
    return done
  })
}
