type Handler = (error: Error, token: string | null) => void

let handler: Handler = () => {}

/** Sets the handler for tokens that the server no longer accepts. Called once at start-up. */
export function onSessionEnd(handle: Handler): void {
  handler = handle
}

export function sessionEnded(error: Error, token: string | null): void {
  handler(error, token)
}
