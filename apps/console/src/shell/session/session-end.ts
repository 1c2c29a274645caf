type Handler = (error: Error, token: string | null) => void

let handler: Handler = () => {}

/** What to do when the server no longer takes a token. Set once by the start-up. */
export function onSessionEnd(handle: Handler): void {
  handler = handle
}

export function sessionEnded(error: Error, token: string | null): void {
  handler(error, token)
}
