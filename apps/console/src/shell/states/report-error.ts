import { isReportable } from '@emma/client/api-error.ts'

/** A page that breaks over and over says the same thing each time. */
const mostReports = 10

const reported = new Set<string>()

/**
 * Tells the operator about an error nobody expected: in production only (R021), and not of what is nobody's bug
 * (R320). What sends it is fetched with the first error.
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
    // Whoever cannot report an error cannot report that either.
  }
}

/** Hears of every error that nothing in the console has caught. */
export function watchErrors(): void {
  addEventListener('error', event => void reportError(event.error ?? event.message))
  addEventListener('unhandledrejection', event => void reportError(event.reason))
}
