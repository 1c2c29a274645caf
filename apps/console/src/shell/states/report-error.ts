import { isReportable } from '@emma/client/api-error.ts'

/** Maximum number of reports per page load. */
const mostReports = 10

const reported = new Set<string>()

/**
 * Reports an unexpected error to the operator: only in production (R021), and not errors that are no bugs (R320). The
 * code that sends it is loaded with the first error.
 */
export async function reportError(error: unknown): Promise<void> {
  if (!import.meta.env.PROD || !isReportable(error)) return
  const name = String(error)
  if (reported.has(name) || reported.size >= mostReports) return
  reported.add(name)
  try {
    const { sendError } = await import('./send-error.ts')
    await sendError(error)
  } catch {
    // An error of the report itself is ignored.
  }
}

/** Reports errors and promise rejections that nothing in the console has caught. */
export function watchErrors(): void {
  addEventListener('error', event => void reportError(event.error ?? event.message))
  addEventListener('unhandledrejection', event => void reportError(event.reason))
}
