import { apiHost } from '../session/api-host.ts'

type Send = (error: unknown) => Promise<unknown>

let chosen: Promise<Send> | undefined

/** Sends an error to the operator's Sentry project, or to the server's own log without one (R021). */
export async function sendError(error: unknown): Promise<void> {
  chosen ??= chooseService()
  const send = await chosen
  await send(error)
}

async function chooseService(): Promise<Send> {
  const answer: unknown = await (await fetch(`${apiHost()}/client-error`)).json()
  const dsn = typeof answer === 'object' && answer !== null && 'dsn' in answer ? answer.dsn : null
  return typeof dsn === 'string' ? startSentry(dsn) : sendToServer
}

/** Without Sentry's own listeners, which would report errors that are no bugs. */
async function startSentry(dsn: string): Promise<Send> {
  const { captureException, flush, init } = await import('@sentry/browser')
  init({ dsn, defaultIntegrations: false, sendDefaultPii: false })
  return async error => {
    captureException(error)
    await flush()
  }
}

async function sendToServer(error: unknown): Promise<void> {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const body = {
    message: message.slice(0, 1000),
    stack: stack.slice(0, 8000),
    path: location.pathname.slice(0, 500),
  }
  await fetch(`${apiHost()}/client-error`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    keepalive: true,
  })
}
